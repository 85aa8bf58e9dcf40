"""CRFsuite on the features that reticent wrote: trains with L-BFGS, labels, and tells seconds and F1 over runs."""

import json
import sys
import time
from itertools import groupby

import pycrfsuite


def read(path):
    with open(path, encoding="ascii") as lines:
        for filled, group in groupby(lines, key=lambda line: line != "\n"):
            if filled:
                rows = [line.rstrip("\n").split("\t") for line in group]
                yield [row[1:] for row in rows], [row[0] for row in rows]


def runs(states):
    """Runs of (first, last, kind): 0 is outside, odd begins, even goes on, as in scheme.rs."""
    found, open_run = set(), None
    for at, state in enumerate([*map(int, states), 0]):
        kind = (state - 1) // 2
        if open_run and (state == 0 or state % 2 == 1 or kind != open_run[1]):
            found.add((open_run[0], at - 1, open_run[1]))
            open_run = None
        if state and open_run is None:
            open_run = (at, kind)
    return found


def main():
    train, dev, model, l2, iterations = sys.argv[1:6]
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    for features, labels in read(train):
        trainer.append(features, labels)
    # CRFsuite counts c2 times the sum of squares, reticent half of that.
    trainer.set_params({"c1": 0.0, "c2": float(l2) / 2, "max_iterations": int(iterations), "feature.possible_transitions": False})
    wall, cpu = time.time(), time.process_time()
    trainer.train(model)
    wall, cpu = time.time() - wall, time.process_time() - cpu
    tagger = pycrfsuite.Tagger()
    tagger.open(model)
    right = found = there = 0
    for features, labels in read(dev):
        gold, ours = runs(labels), runs(tagger.tag(features))
        right, found, there = right + len(gold & ours), found + len(ours), there + len(gold)
    f1 = 2 * right / (found + there)
    print(json.dumps({"tool": "CRFsuite", "what": "training", "wall_s": round(wall, 1), "cpu_s": round(cpu, 1), "f1": round(f1, 4)}))


main()
