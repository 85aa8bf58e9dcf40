"""k-anonymity of Adult with anonypy and with reticent, in one run: seconds and NCP, both counted here."""
import csv
import subprocess
import sys
import time

import pandas as pd
from anonypy.mondrian import Mondrian

COLUMNS = ["age", "workclass", "education-num", "marital-status", "occupation", "race", "sex", "native-country"]
NUMBERS = {"age", "education-num"}
K = 5


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


def main(program, data, work):
    frame = pd.read_csv(data, skipinitialspace=True)
    # Read like everything else, so that both start from the same file.
    for name in COLUMNS:
        if name not in NUMBERS:
            frame[name] = frame[name].astype("category")
    begin = time.perf_counter()
    theirs = [list(rows) for rows in Mondrian(frame, COLUMNS).partition(K)]
    seconds = time.perf_counter() - begin
    print(f"anonypy   {seconds:8.2f} s  {len(theirs)} classes  smallest {min(map(len, theirs))}  NCP {ncp(theirs, frame):.4f}"
          "  (partitioning only)")
    for name in COLUMNS:
        frame[name] = frame[name].astype(object if name not in NUMBERS else "int64")
    with open(f"{work}/adult.toml", "w") as out:
        out.write(schema(list(frame.columns)))
    begin = time.perf_counter()
    subprocess.run([program, "--quiet", "table", "protect", data, "--schema", f"{work}/adult.toml", "--k", str(K), "-o",
                    f"{work}/adult.csv"], check=True)
    own = time.perf_counter() - begin
    classes = {}
    with open(f"{work}/adult.csv", newline="") as released:
        for at, row in enumerate(csv.DictReader(released, skipinitialspace=True)):
            classes.setdefault(tuple(row[name] for name in COLUMNS), []).append(at)
    ours = list(classes.values())
    print(f"reticent  {own:8.2f} s  {len(ours)} classes  smallest {min(map(len, ours))}  NCP {ncp(ours, frame):.4f}"
          "  (start, reading, partitioning, checking, writing)")
    print(f"{seconds / own:.0f} times faster")


if __name__ == "__main__":
    main(*sys.argv[1:])
