"""Compares the models that `reticent table` counts with those that pycanon counts on the same files.

    models.py RETICENT FOLDER [ADULT.csv]

Adult, and 1,000 small random tables, every other one with texts: k, l and t must agree, and changed files must be caught.
Texts follow one pattern, so that persons whose texts say the same have the same text: pycanon counts the text as one
more quasi-identifier. Exits with 1 if anything differs.
"""
import concurrent.futures
import csv
import json
import os
import random
import subprocess
import sys

import pandas as pd
from pycanon import anonymity

TABLES = 1000
CITIES = ["Lyon", "Paris", "Bonn", "Kiel", "Turin", "Porto"]
JOBS = ["teacher", "nurse", "lawyer", "farmer"]
ILLS = ["flu", "cold", "asthma", "gout"]


def run(*args):
    return subprocess.run(args, capture_output=True, text=True)


def counted(path, quasi, sensitive):
    """k, and l and t of each sensitive column, by pycanon."""
    frame = pd.read_csv(path, dtype=str, keep_default_na=False, skipinitialspace=True)
    k = anonymity.k_anonymity(frame, quasi)
    l = {name: anonymity.l_diversity(frame, quasi, [name]) for name in sensitive}
    t = {name: anonymity.t_closeness(frame, quasi, [name]) for name in sensitive}
    return k, l, t


def differences(name, ours, theirs):
    """What two counts disagree on."""
    k, l, t = theirs
    told = [f"{name}: k is {ours['k']}, pycanon counts {k}"] if ours["k"] != k else []
    for figures in ours["sensitive"]:
        column = figures["column"]
        if figures["distinct"] != l[column]:
            told.append(f"{name}: l of {column} is {figures['distinct']}, pycanon counts {l[column]}")
        if abs(figures["t"] - t[column]) > 1e-3:
            told.append(f"{name}: t of {column} is {figures['t']:.4f}, pycanon counts {t[column]:.4f}")
    return told


def small(program, folder, seed):
    """One random table: protected, counted by both, and changed."""
    rng = random.Random(seed)
    with_text = seed % 2 == 1
    k, rows = rng.randint(2, 4), rng.randint(12, 40)
    names = ["id", "age", "city", "sex", "ill"] + (["note"] if with_text else [])
    base = os.path.join(folder, f"t{seed}")
    with open(base + ".csv", "w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(names)
        for row in range(rows):
            age, city, job = rng.randint(20, 80), rng.choice(CITIES), rng.choice(JOBS)
            line = [row, age, city, rng.choice("fm"), rng.choice(ILLS)]
            writer.writerow(line + ([f"Aged {age}, works as a {job} in {city}."] if with_text else []))
    rules = [
        '{ name = "id", role = "identifier" }',
        '{ name = "age", role = "quasi-identifier", kind = "number", entities = ["AGE"] }',
        '{ name = "city", role = "quasi-identifier", entities = ["LOCATION"] }',
        '{ name = "sex", role = "quasi-identifier" }',
        '{ name = "ill", role = "sensitive" }',
    ] + (['{ name = "note", role = "text" }'] if with_text else [])
    with open(base + ".toml", "w") as out:
        out.write("columns = [\n" + "".join(f"  {rule},\n" for rule in rules) + "]\n")
    args = [program, "--quiet", "--force", "table", "protect", base + ".csv", "-s", base + ".toml", "-k", str(k), "-j", "1",
            "-o", base + ".out.csv", "--report", base + ".json"]
    if seed % 3 == 0:
        args += ["-l", "2"]
    done = run(*args)
    if done.returncode != 0:
        # Some tables cannot be made diverse; nothing else may fail.
        return [] if "-diversity" in done.stderr else [f"table {seed}: {done.stderr}"]
    quasi = ["age", "city", "sex"] + (["note"] if with_text else [])
    told = differences(f"table {seed}", json.load(open(base + ".json"))["verification"],
                       counted(base + ".out.csv", quasi, ["ill"]))
    if seed % 20 == 0:
        told += changed(program, base, k, rng)
    return told


def changed(program, base, k, rng):
    """A changed cell and a changed sensitive value must both be caught, the second by the report of the release."""
    verify = [program, "--quiet", "table", "verify", base + ".changed.csv", "-s", base + ".toml", "-k", str(k)]
    told = []
    for column, more in [("sex", []), ("ill", ["--report", base + ".json"])]:
        rows = list(csv.DictReader(open(base + ".out.csv", newline="")))
        row = rng.choice(rows)
        row[column] = "x" if column == "sex" else next(ill for ill in ILLS if ill != row[column])
        with open(base + ".changed.csv", "w", newline="") as out:
            writer = csv.DictWriter(out, rows[0].keys(), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        if run(*verify, *more).returncode != 1:
            told.append(f"{base}: a changed value of {column} was not caught")
    return told


def adult(program, folder, data):
    quasi = ["age", "workclass", "education-num", "marital-status", "occupation", "race", "sex", "native-country"]
    numbers = {"age", "education-num"}
    header = [name.strip() for name in open(data).readline().split(",")]
    with open(f"{folder}/adult.toml", "w") as out:
        out.write("columns = [\n")
        for name in header:
            role = "quasi-identifier" if name in quasi else "sensitive" if name == "salary-class" else "insensitive"
            kind = ', kind = "number"' if name in numbers else ""
            out.write(f'  {{ name = "{name}", role = "{role}"{kind} }},\n')
        out.write("]\n")
    told = []
    for k, more in [(2, []), (5, []), (10, ["-l", "2"]), (25, ["-t", "0.3"])]:
        done = run(program, "--quiet", "--force", "table", "protect", data, "-s", f"{folder}/adult.toml", "-k", str(k), *more,
                   "-o", f"{folder}/adult.csv", "--report", f"{folder}/adult.json")
        if done.returncode != 0:
            told.append(f"Adult, k = {k}: {done.stderr}")
            continue
        ours = json.load(open(f"{folder}/adult.json"))["verification"]
        theirs = counted(f"{folder}/adult.csv", quasi, ["salary-class"])
        print(f"Adult, k = {k} {' '.join(more)}: k {ours['k']} and {theirs[0]}, l {ours['sensitive'][0]['distinct']} and "
              f"{theirs[1]['salary-class']}, t {ours['sensitive'][0]['t']:.4f} and {theirs[2]['salary-class']:.4f}")
        told += differences(f"Adult, k = {k}", ours, theirs)
    return told


def main(program, folder, data=None):
    os.makedirs(folder, exist_ok=True)
    told = adult(program, folder, data) if data else []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for own in pool.map(lambda seed: small(program, folder, seed), range(TABLES)):
            told += own
    print(f"{TABLES} small tables, {'Adult, ' if data else ''}{len(told)} differences")
    for line in told[:20]:
        print(line, file=sys.stderr)
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
