#!/usr/bin/env python3
"""Table 3.2 of the thesis: what is expected, predicted and correct in each category, of two folders of brat files.

  categories.py GOLD PREDICTED
"""
import collections, pathlib, sys


def spans(folder):
    found = set()
    for path in pathlib.Path(folder).glob("*.ann"):
        for line in path.read_text(encoding="utf8").splitlines():
            if line.startswith("T"):
                kind, start, *_, end = line.split("\t")[1].replace(";", " ").split()
                found.add((path.stem, kind, int(start), int(end)))
    return found


def line(name, gold, predicted):
    right = len(gold & predicted)
    precision, recall = right / max(1, len(predicted)), right / max(1, len(gold))
    f1 = 2 * right / max(1, len(gold) + len(predicted))
    print(f"| {name} | {len(gold)} | {len(predicted)} | {right} | {precision:.4f} | {recall:.4f} | {f1:.4f} |")


gold, predicted = map(spans, sys.argv[1:3])
kinds = collections.defaultdict(lambda: (set(), set()))
for side, found in enumerate((gold, predicted)):
    for span in found:
        kinds[span[1]][side].add(span)
print("| category | expected | predicted | correct | precision | recall | F1 |\n|---|---|---|---|---|---|---|")
for kind in sorted(kinds):
    line(kind, *kinds[kind])
line("all", gold, predicted)
