"""Megabytes a second of rule-based peers over the court cases, one thread."""
import gzip
import json
import pathlib
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
CASES = ROOT.parent / "shared/data/tab/dev.jsonl.gz"


def texts():
    with gzip.open(CASES, "rt", encoding="utf8") as rows:
        return [json.loads(row)["text"] for row in rows]


def measure(name, find, cases):
    find(cases[0])
    start = time.perf_counter()
    for text in cases:
        find(text)
    seconds = time.perf_counter() - start
    size = sum(len(text.encode()) for text in cases) / 1e6
    print(json.dumps({"tool": name, "mb_per_s": round(size / seconds, 3)}), flush=True)


def main():
    cases = texts()
    wanted = sys.argv[1]
    if wanted == "datafog":
        from datafog.processing.text_processing.regex_annotator.regex_annotator import RegexAnnotator

        measure("datafog (regex)", RegexAnnotator().annotate, cases)
    elif wanted == "scrubadub":
        import scrubadub

        measure("scrubadub", scrubadub.Scrubber().clean, cases)


if __name__ == "__main__":
    main()
