#!/usr/bin/env python3
"""Court cases (tab/dev): which words are masked, against what people masked.

  court_cases.py RETICENT            trained on other sets only: `reticent detect` as it ships
  court_cases.py RETICENT --folds 5  cross-validated: beside what ships, a labeller trained on the other folds

Prints precision and recall of words, for the preset gdpr and for those of other tools, and the tools' own.
"""
import argparse, gzip, json, pathlib, re, subprocess, tempfile

WORD = re.compile(r"\w+")
ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT.parent / "shared/data/tab/dev.jsonl.gz"


def words(text, spans):
    return {match.start() for span in spans for match in WORD.finditer(text, span[0], span[1])}


class Score:
    right = found = gold = 0

    def add(self, text, gold, found):
        gold, found = words(text, gold), words(text, found)
        self.right += len(gold & found)
        self.found += len(found)
        self.gold += len(gold)

    def __str__(self):
        return f"P {self.right / max(1, self.found):.3f}  R {self.right / max(1, self.gold):.3f}"


def detect(reticent, cases, work, *options):
    source = work / "cases.jsonl"
    source.write_text("".join(json.dumps({"id": case["id"], "text": case["text"]}) + "\n" for case in cases))
    command = [reticent, "detect", source, "--quiet", "--id-field", "id", "--language", "en", *options]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return {row["id"]: row["spans"] for row in map(json.loads, lines)}


def train(reticent, cases, work):
    folder = work / "train"
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    for case in cases:
        (folder / f"{case['id']}.txt").write_text(case["text"], encoding="utf8")
        notes = [f"T{n}\t{kind} {start} {end}\tx\n" for n, (start, end, kind) in enumerate(case["spans"], 1)]
        (folder / f"{case['id']}.ann").write_text("".join(notes), encoding="utf8")
    model = work / "fold.labeller"
    options = ["--method", "crf", "--language", "en", "--iterations", "80", "--l2", "0.5", "--quiet"]
    subprocess.run([reticent, "train", "labeller", folder, "-o", model, *options], check=True)
    return model


arguments = argparse.ArgumentParser()
arguments.add_argument("reticent")
arguments.add_argument("--folds", type=int, default=0)
arguments = arguments.parse_args()
with gzip.open(DATA, "rt", encoding="utf8") as lines:
    cases = [json.loads(line) for line in lines]
with tempfile.TemporaryDirectory() as work:
    work = pathlib.Path(work)
    if arguments.folds:
        score = Score()
        for fold in range(arguments.folds):
            held = cases[fold::arguments.folds]
            model = train(arguments.reticent, [case for case in cases if case not in held], work)
            found = detect(arguments.reticent, held, work, "--preset", "gdpr", "--labeller", model)
            for case in held:
                score.add(case["text"], case["spans"], found[case["id"]])
        print(f"{'gdpr, cross-validated':24}{score}")
    else:
        for preset in ("gdpr", "basic", "hipaa-safe-harbor", "ner3", "ner4", "ner7", "presidio"):
            score, found = Score(), detect(arguments.reticent, cases, work, "--preset", preset)
            for case in cases:
                score.add(case["text"], case["spans"], found[case["id"]])
            print(f"reticent {preset:18}{score}")
        for tool in cases[0]["baselines"]:
            score = Score()
            for case in cases:
                score.add(case["text"], case["spans"], case["baselines"][tool])
            print(f"{tool:27}{score}")
