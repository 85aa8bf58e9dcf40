"""Training data for the Spanish labeller: news (CoNLL-2002) and clinical notes (MEDDOCAN), in the labels of the
English one as far as they are annotated. A part is repeated in small letters and in capitals.

  spanish.py SHARED_DATA OUT        writes OUT/spanish.conll and OUT/dev-es/*.conll
"""
import gzip, pathlib, random, re, sys

from mix import augmented, entities, sentences, write

NEWS = {"PER": "PERSON", "LOC": "LOCATION", "ORG": "ORGANIZATION", "MISC": "MISC"}
NOTES = {
    "NOMBRE_SUJETO_ASISTENCIA": "PERSON", "NOMBRE_PERSONAL_SANITARIO": "PERSON", "TERRITORIO": "LOCATION",
    "CALLE": "LOCATION", "PAIS": "LOCATION", "HOSPITAL": "ORGANIZATION", "INSTITUCION": "ORGANIZATION",
    "CENTRO_SALUD": "ORGANIZATION", "FECHAS": "DATE", "PROFESION": "JOB_TITLE",
}
TOKEN = re.compile(r"\w+|[^\w\s]")


def note(path):
    text = path.read_text(encoding="utf8")
    found = []
    for line in path.with_suffix(".ann").read_text(encoding="utf8").splitlines():
        kind, start, *_, end = line.split("\t")[1].replace(";", " ").split()
        if kind in NOTES:
            found.append((int(start), int(end), NOTES[kind]))
    at = 0
    for line in text.splitlines(keepends=True):
        tokens = list(TOKEN.finditer(text, at, at + len(line)))
        at += len(line)
        runs = []
        for start, end, kind in sorted(found):
            inside = [n for n, token in enumerate(tokens) if start <= token.start() < end]
            if inside and (not runs or runs[-1][1] <= inside[0]):
                runs.append([inside[0], inside[-1] + 1, kind])
        if tokens:
            yield [token.group() for token in tokens], runs


def news(path):
    with gzip.open(path, "rt", encoding="utf8") as lines:
        for rows in sentences(lines):
            runs = [[s, e, NEWS[k]] for s, e, k in entities([row[-1] for row in rows])]
            yield [row[0] for row in rows], runs


data, out = map(pathlib.Path, sys.argv[1:])
chance = random.Random(7)
(out / "dev-es").mkdir(parents=True, exist_ok=True)
notes = lambda part: (pair for path in sorted((data / "meddocan" / part).glob("*.txt")) for pair in note(path))
with open(out / "spanish.conll", "w", encoding="utf8") as train:
    for part in ("train", "testb"):
        for words, runs in news(data / f"lang/conll2002-esp.{part}.conll.gz"):
            augmented(train, words, runs, chance, 0.1)
    for words, runs in notes("train"):
        augmented(train, words, runs, chance, 0.1)
for name, pairs in (("news", news(data / "lang/conll2002-esp.testa.conll.gz")), ("notes", notes("dev"))):
    with open(out / f"dev-es/{name}.conll", "w", encoding="utf8") as dev:
        for words, runs in pairs:
            write(dev, words, runs)
