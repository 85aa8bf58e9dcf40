"""Table 4.2 of the thesis: words that begin a disease (B) and that go on with one (I), each against the same words in the
gold file, and both together, weighed by how many there are.

  words.py GOLD PREDICTED      two CoNLL files with the same tokens, labels in the last column
"""
import itertools, sys


def marks(path):
    with open(path, encoding="utf8") as lines:
        return [columns[-1][0] for columns in map(str.split, lines) if columns]


def main(gold, predicted):
    pairs = list(itertools.zip_longest(marks(gold), marks(predicted)))
    total, sums = 0, [0.0, 0.0, 0.0]
    for mark in "BI":
        right = sum(ours == theirs == mark for theirs, ours in pairs)
        found = sum(ours == mark for _, ours in pairs)
        there = sum(theirs == mark for theirs, _ in pairs)
        figures = [right / max(found, 1), right / max(there, 1), 2 * right / max(found + there, 1)]
        print(f"{mark}: " + " / ".join(f"{figure:.4f}" for figure in figures))
        total += there
        sums = [sum_ + there * figure for sum_, figure in zip(sums, figures)]
    print("both: " + " / ".join(f"{sum_ / max(total, 1):.4f}" for sum_ in sums))


main(*sys.argv[1:])
