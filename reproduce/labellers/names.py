#!/usr/bin/env python3
"""Names in what was held out of training: entities with exact spans and kind, as they are, in small letters, in capitals.

  names.py RETICENT MODEL FILE.conll...    after data/make/names.sh: target/names/dev/*.conll, target/names/dev-es/*.conll

Kinds that a file has no gold for do not count: WikiGold marks no dates.
"""
import collections, pathlib, subprocess, sys, tempfile


def sentences(path):
    """Words and tags, a list for each sentence; tags are in the last column."""
    sentence = []
    for line in path.read_text(encoding="utf8").splitlines() + [""]:
        cells = line.split()
        if not cells or cells[0] == "-DOCSTART-":
            if sentence:
                yield sentence
            sentence = []
        else:
            sentence.append((cells[0], cells[-1]))


def entities(sentence):
    found, start, kind = set(), 0, None
    for at, (_, tag) in enumerate(sentence + [("", "O")]):
        goes_on = tag.startswith("I-") and tag[2:] == kind
        if kind and not goes_on:
            found.add((start, at, kind))
            kind = None
        if tag != "O" and not goes_on:
            start, kind = at, tag[2:]
    return found


def score(gold, found):
    """Counts of right, found and gold, by kind."""
    counts = collections.defaultdict(lambda: [0, 0, 0])
    for one, other in zip(gold, found, strict=True):
        for at, group in enumerate((one & other, other, one)):
            for _, _, kind in group:
                counts[kind][at] += 1
    return {kind: count for kind, count in counts.items() if count[2]}


def shown(right, found, gold):
    return f"{right / max(1, found):.2f} / {right / max(1, gold):.2f}"


reticent, model, *files = sys.argv[1:]
with tempfile.TemporaryDirectory() as work:
    source, out = pathlib.Path(work, "in.conll"), pathlib.Path(work, "out.conll")
    for name in files:
        gold = list(sentences(pathlib.Path(name)))
        for how, change in [("as it is", str), ("small letters", str.lower), ("capitals", str.upper)]:
            text = "\n".join("".join(f"{change(word)} {tag}\n" for word, tag in sentence) for sentence in gold)
            source.write_text(text, encoding="utf8")
            subprocess.run([reticent, "label", "--quiet", "--model", model, "--format", "conll", source, "-o", out], check=True)
            counts = score([entities(one) for one in gold], [entities(one) for one in sentences(out)])
            right, found, total = map(sum, zip(*counts.values()))
            kinds = "  ".join(f"{kind} {shown(*count)}" for kind, count in sorted(counts.items()))
            print(f"{pathlib.Path(name).stem}, {how}: F1 {2 * right / (found + total):.3f}  {kinds}")
