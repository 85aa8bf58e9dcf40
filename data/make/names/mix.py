"""Training data for the English labeller, in one set of labels: PERSON, LOCATION, ORGANIZATION, MISC, LAW, DATE, NRP
(nationalities, religions, politics) and JOB_TITLE.

  mix.py SHARED_DATA LISTS OUT            writes OUT/silver.conll, OUT/gold.conll and OUT/dev/*.conll
  mix.py --fill LISTS GOLD LABELLED OUT   gold data know no dates and no laws: where they say nothing, what a labeller says

Silver data (labelled by spaCy's small model) are corrected where they are plainly wrong. A part of all is repeated in
small letters and in capitals, since not everyone writes as an editor does.
"""
import gzip, pathlib, random, re, sys

SILVER = {
    "PERSON": "PERSON", "ORG": "ORGANIZATION", "GPE": "LOCATION", "LOC": "LOCATION", "FAC": "LOCATION", "NORP": "NRP",
    "LANGUAGE": "NRP", "DATE": "DATE", "TIME": "DATE", "WORK_OF_ART": "MISC", "PRODUCT": "MISC", "EVENT": "MISC",
    "LAW": "LAW",
}
GOLD = {
    "PER": "PERSON", "person": "PERSON", "LOC": "LOCATION", "location": "LOCATION", "ORG": "ORGANIZATION",
    "corporation": "ORGANIZATION", "group": "ORGANIZATION", "MISC": "MISC", "creative-work": "MISC", "product": "MISC",
}
# Contracts name their parties by role; these are no names.
ROLES = {"lender", "borrower", "lenders", "borrowers", "agent", "bank", "company", "guarantor", "holder", "purchaser"}
TELLING_DATE = re.compile(
    r"\d|^(jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.?$|^(mon|tues?|wed(nes)?|thu(rs)?|fri|sat(ur)?|sun)(day)?s?$"
    r"|^(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|"
    r"seventy|eighty|ninety|several|few|half|christmas|easter|ramadan|spring|summer|autumn|winter)$", re.I)
VERB_BEFORE = {"to", "will", "would", "can", "could", "not", "i", "you", "we", "they", "n't", "'ll", "should", "must", "may", "might"}
NOUN = ("NN", "NNS", "NNP", "NNPS", "")


def sentences(lines):
    rows = []
    for line in lines:
        fields = line.split()
        if fields and fields[0] != "-DOCSTART-":
            rows.append(fields)
        elif rows:
            yield rows
            rows = []
    if rows:
        yield rows


def entities(labels):
    """Runs of equal labels in BIO or IOB1: (start, end, kind)."""
    runs = []
    for at, label in enumerate(labels):
        mark, _, kind = label.partition("-")
        if mark == "O":
            continue
        if mark == "I" and runs and runs[-1][1] == at and runs[-1][2] == kind:
            runs[-1][1] = at + 1
        else:
            runs.append([at, at + 1, kind])
    return runs


def write(out, words, runs):
    labels = ["O"] * len(words)
    for start, end, kind in runs:
        labels[start:end] = ["B-" + kind] + ["I-" + kind] * (end - start - 1)
    out.writelines(f"{word}\t{label}\n" for word, label in zip(words, labels))
    out.write("\n")


class Jobs:
    def __init__(self, path):
        self.known = {tuple(line.split()) for line in path.read_text(encoding="utf8").splitlines()}
        self.longest = max(map(len, self.known))

    def find(self, words, tags, runs):
        """What people do, where nothing else is."""
        taken = {at for start, end, _ in runs for at in range(start, end)}
        lower = [word.lower() for word in words]
        at = 0
        while at < len(words):
            for size in range(self.longest, 0, -1):
                phrase = lower[at:at + size]
                if len(phrase) < size or taken.intersection(range(at, at + size)) or tags[at + size - 1] not in NOUN:
                    continue
                single = phrase[:-1] + [re.sub(r"(?<=[^s])s$", "", phrase[-1])]
                if (tuple(phrase) in self.known or tuple(single) in self.known) and not (
                        at and lower[at - 1] in VERB_BEFORE):
                    runs.append([at, at + size, "JOB_TITLE"])
                    at += size - 1
                    break
            at += 1


def clean(words, runs, peoples):
    kept = []
    for start, end, kind in runs:
        text = " ".join(words[start:end])
        lower = text.lower()
        if lower in peoples:
            kind = "NRP"
        if kind == "DATE" and not any(TELLING_DATE.search(word) for word in words[start:end]):
            continue
        if kind == "PERSON" and (lower in ROLES or not any(c.isalpha() for c in text)):
            continue
        # An article or a possessive belongs to no name.
        while end - start > 1 and words[start].lower() in ("the", "a", "an") and kind != "MISC":
            start += 1
        while end - start > 1 and words[end - 1] in ("'s", "’s", "'", "’", ",", "."):
            end -= 1
        kept.append([start, end, kind])
    return kept


def cased(words, style):
    return [word.upper() if style == "upper" else word.lower() for word in words]


def augmented(out, words, runs, chance, share):
    write(out, words, runs)
    draw = chance.random()
    if draw < share:
        write(out, cased(words, "lower"), runs)
    elif draw < 1.6 * share:
        write(out, cased(words, "upper"), runs)


def gold_sentences(path):
    for rows in sentences(path.read_text(encoding="utf8").splitlines()):
        words = [row[0] for row in rows]
        runs = [[s, e, GOLD[k]] for s, e, k in entities([row[-1] for row in rows]) if k in GOLD]
        yield words, runs


def main(data, lists, out):
    chance = random.Random(5)
    jobs = Jobs(lists / "occupation.txt")
    peoples = set((lists / "people.txt").read_text(encoding="utf8").splitlines())
    (out / "dev").mkdir(parents=True, exist_ok=True)
    with gzip.open(data / "lang/mixed-silver.conll.gz", "rt", encoding="utf8") as lines, \
            open(out / "silver.conll", "w", encoding="utf8") as train, \
            open(out / "dev/silver.conll", "w", encoding="utf8") as dev:
        for number, rows in enumerate(sentences(lines)):
            words, tags = [row[0] for row in rows], [row[1] for row in rows]
            runs = [[s, e, SILVER[k]] for s, e, k in entities([row[-1] for row in rows]) if k in SILVER]
            runs = clean(words, runs, peoples)
            jobs.find(words, tags, runs)
            if number % 40 == 0:
                write(dev, words, runs)
            else:
                augmented(train, words, runs, chance, 0.06)
    held = {"btc-a", "btc-e", "wnut17-emerging.dev", "sec-filings-FIN3"}
    with open(out / "gold.conll", "w", encoding="utf8") as train:
        for path in sorted((data / "ner").glob("*.conll")):
            name = path.stem.replace(".annotated", "")
            with open(out / f"dev/{name}.conll", "w", encoding="utf8") as dev:
                for number, (words, runs) in enumerate(gold_sentences(path)):
                    runs = clean(words, runs, peoples)
                    taken = {at for s, e, _ in runs for at in range(s, e)}
                    runs += [[at, at + 1, "NRP"] for at, word in enumerate(words)
                             if at not in taken and word.lower() in peoples and word[0].isupper()]
                    jobs.find(words, [""] * len(words), runs)
                    runs.sort()
                    held_out = name in held or (name == "wikigold" and number % 6 == 0)
                    write(dev if held_out else train, words, runs)
    for path in (out / "dev").glob("*.conll"):
        if path.stat().st_size == 0:
            path.unlink()


def fill(lists, gold, labelled, out):
    chance = random.Random(6)
    with open(gold, encoding="utf8") as ours, open(labelled, encoding="utf8") as theirs, \
            open(out, "w", encoding="utf8") as file:
        for own, other in zip(sentences(ours), sentences(theirs)):
            words = [row[0] for row in own]
            assert words == [row[0] for row in other]
            runs = entities([row[-1] for row in own])
            taken = {at for start, end, _ in runs for at in range(start, end)}
            for start, end, kind in entities([row[-1] for row in other]):
                if kind in ("DATE", "LAW") and not taken.intersection(range(start, end)):
                    runs.append([start, end, kind])
            augmented(file, words, sorted(runs), chance, 0.3)


if __name__ == "__main__":
    if sys.argv[1] == "--fill":
        fill(*map(pathlib.Path, sys.argv[2:]))
    else:
        main(*map(pathlib.Path, sys.argv[1:]))
