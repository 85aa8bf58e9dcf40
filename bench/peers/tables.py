"""k-anonymity of Adult with anonypy, anjana and reticent, in one run: seconds and NCP, all counted here.

    tables.py RETICENT ADULT.csv FOLDER [K,K,…]
"""
import csv
import json
import resource
import subprocess
import sys
import time

import pandas as pd
from anjana.anonymity import k_anonymity
from anonypy.mondrian import Mondrian

COLUMNS = ["age", "workclass", "education-num", "marital-status", "occupation", "race", "sex", "native-country"]
NUMBERS = {"age", "education-num"}
# The share of rows, in percent, that anjana may suppress.
SUPPRESSED = 5


def schema(names):
    lines = ["columns = ["]
    for name in names:
        role = "quasi-identifier" if name in COLUMNS else "insensitive"
        kind = ', kind = "number"' if name in NUMBERS else ""
        lines.append(f'  {{ name = "{name}", role = "{role}"{kind} }},')
    return "\n".join(lines + ["]", ""])


def ncp(classes, frame):
    """The mean over rows and columns, as in the papers: a class is the indexes of its rows."""
    whole = {}
    for name in COLUMNS:
        column = frame[name]
        whole[name] = column.max() - column.min() if name in NUMBERS else column.nunique()
    columns = {name: frame[name].to_numpy() for name in COLUMNS}
    lost = 0.0
    for rows in classes:
        for name in COLUMNS:
            values = columns[name][rows]
            if name in NUMBERS:
                lost += (values.max() - values.min()) / whole[name] * len(rows)
            else:
                distinct = len(set(values))
                lost += (distinct / whole[name] if distinct > 1 else 0.0) * len(rows)
    return lost / (len(frame) * len(COLUMNS))


def hierarchies(frame):
    """Hierarchies for anjana: ranges of 5, 10, 20, 40 and all for numbers, all for the rest; and what each label loses."""
    levels, losses = {}, {}
    for name in COLUMNS:
        values = frame[name]
        losses[name] = {"*": 1.0}
        if name in NUMBERS:
            span = values.max() - values.min()
            levels[name] = {0: values.values}
            for at, width in enumerate([5, 10, 20, 40], 1):
                labels = [f"[{value // width * width}, {value // width * width + width})" for value in values]
                losses[name].update({label: min(1.0, (width - 1) / span) for label in labels})
                levels[name][at] = labels
            levels[name][5] = ["*"] * len(values)
        else:
            levels[name] = {0: values.values, 1: ["*"] * len(values)}
    return levels, losses


def by_anjana(frame, k):
    levels, losses = hierarchies(frame)
    data = frame[COLUMNS].copy()
    begin = time.perf_counter()
    released = k_anonymity(data, [], COLUMNS, k, SUPPRESSED, levels)
    seconds = time.perf_counter() - begin
    # A suppressed row loses everything.
    lost = (len(frame) - len(released)) * len(COLUMNS)
    for name in COLUMNS:
        lost += sum(losses[name].get(value, 0.0) for value in released[name].astype(str))
    classes = released.groupby(COLUMNS, observed=True).size()
    return seconds, len(classes), int(classes.min()), lost / (len(frame) * len(COLUMNS))


def main(program, data, work, ks="2,5,10,25"):
    frame = pd.read_csv(data, skipinitialspace=True)
    with open(f"{work}/adult.toml", "w") as out:
        out.write(schema(list(frame.columns)))
    figures = []
    for k in map(int, ks.split(",")):
        # Read like everything else, so that all start from the same file.
        typed = frame.copy()
        for name in COLUMNS:
            if name not in NUMBERS:
                typed[name] = typed[name].astype("category")
        begin, spent_before = time.perf_counter(), time.process_time()
        theirs = [list(rows) for rows in Mondrian(typed, COLUMNS).partition(k)]
        seconds, processor = time.perf_counter() - begin, time.process_time() - spent_before
        own_loss = ncp(theirs, frame)
        print(f"k = {k}")
        print(f"  anonypy   {seconds:8.2f} s  {len(theirs)} classes  smallest {min(map(len, theirs))}  NCP {own_loss:.4f}"
              "  (partitioning only)")
        figures.append({"k": k, "tool": "anonypy", "seconds": seconds, "ncp": own_loss})
        spent, count, smallest, loss = by_anjana(frame, k)
        print(f"  anjana    {spent:8.2f} s  {count} classes  smallest {smallest}  NCP {loss:.4f}"
              f"  (at most {SUPPRESSED} % suppressed)")
        figures.append({"k": k, "tool": "anjana", "seconds": spent, "ncp": loss})
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        begin = time.perf_counter()
        subprocess.run([program, "--quiet", "--force", "table", "protect", data, "--schema", f"{work}/adult.toml", "--k", str(k),
                        "--keep-order", "-o", f"{work}/adult.csv"], check=True)
        own = time.perf_counter() - begin
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        own_processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        classes = {}
        with open(f"{work}/adult.csv", newline="") as released:
            for at, row in enumerate(csv.DictReader(released, skipinitialspace=True)):
                classes.setdefault(tuple(row[name] for name in COLUMNS), []).append(at)
        ours = list(classes.values())
        loss = ncp(ours, frame)
        print(f"  reticent  {own:8.2f} s  {len(ours)} classes  smallest {min(map(len, ours))}  NCP {loss:.4f}"
              f"  (start, reading, partitioning, checking, writing); {seconds / own:.0f} times faster than anonypy "
              f"({processor / own_processor:.0f} by processor time)")
        figures.append({"k": k, "tool": "reticent", "seconds": own, "ncp": loss})
    with open(f"{work}/figures.json", "w") as out:
        json.dump(figures, out, indent=2)


if __name__ == "__main__":
    main(*sys.argv[1:])
