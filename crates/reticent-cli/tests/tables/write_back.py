"""Checks `extract` → `table protect` → `write-back`: every value that is released covers the document's own.

    write_back.py RETICENT FOLDER DOCUMENTS.jsonl[.gz] [COUNT]

Shares no code with the program: it computes the fingerprints of the rows itself, and compares what each replaced
mention says with the values that were extracted from the same document. Exits with 1 if anything differs.
"""
import base64
import csv
import gzip
import hashlib
import hmac
import json
import os
import re
import subprocess
import sys

MONTHS = "january february march april may june july august september october november december".split()


def keyed(key, parts):
    mac = hmac.new(key, digestmod=hashlib.sha256)
    for part in parts:
        mac.update(len(part).to_bytes(8, "big") + part)
    return mac.digest()


def fingerprints(path):
    """The documents of a map by the fingerprints of their rows."""
    lines = open(path, "rb").read().splitlines()
    head = lines[0].decode()
    key = keyed(bytes.fromhex(json.loads(head)["key"]), [b"reticent 1", b"extracted row"])
    made_with = head[head.index('"made_with":') + len('"made_with":'):-1].encode()
    tag = lambda row: base64.b32encode(keyed(key, [made_with, row])[:16]).decode().rstrip("=").lower()
    return {"r" + tag(row): json.loads(row) for row in lines[1:]}


def values(cell):
    """The values of a cell of the extracted table."""
    if cell.startswith("'") and cell[1:2] in "=+-@":
        cell = cell[1:]
    return [re.sub(r"\\(.)", r"\1", part).strip() for part in re.split(r"(?<!\\)\|", cell) if part.strip()]


def numbers(text):
    return [float(number.replace(",", "")) for number in re.findall(r"\d[\d,]*(?:\.\d+)?", text)]


def plain(text):
    return " ".join(re.findall(r"\w+", text.lower()))


def covers(kind, said, own):
    """Whether words cover one extracted value."""
    if kind == "DATE_TIME":
        decade = re.search(r"(\d{3})0s", said)
        if decade:
            return own.startswith(decade[1])
        years = [int(year) for year in re.findall(r"\d{4}", said)]
        if not years or not own[:4].isdigit():
            return plain(own) in plain(said)
        months = [at for at, month in enumerate(MONTHS, 1) if month in said.lower()]
        if months and len(years) == 1:
            return own[:7] == f"{years[0]}-{months[0]:02}"
        return min(years) <= int(own[:4]) <= max(years)
    if kind == "AGE":
        said = numbers(said)
        return bool(said) and min(said) <= float(own) <= max(said) if own.replace(".", "").isdigit() else False
    return plain(own) in plain(said)


def main(program, folder, data, count=200):
    os.makedirs(folder, exist_ok=True)
    opened = gzip.open(data, "rt") if data.endswith(".gz") else open(data)
    with opened as source, open(f"{folder}/docs.jsonl", "w") as out:
        for at, line in enumerate(source):
            if at == int(count):
                break
            row = json.loads(line)
            # Numbers as names, as the pseudonyms of a table are.
            out.write(json.dumps({"id": str(at + 1), "text": row["text"]}) + "\n")
    run = lambda *args: subprocess.run([program, "--quiet", "--force", *args], check=False).returncode
    steps = [
        ["extract", f"{folder}/docs.jsonl", "--id-field", "id", "-o", f"{folder}/t.csv"],
        ["table", "protect", f"{folder}/t.csv", "-s", f"{folder}/t.schema.toml", "-k", "5", "-o", f"{folder}/p.csv"],
        ["write-back", f"{folder}/docs.jsonl", "--id-field", "id", "--table", f"{folder}/p.csv", "--map",
         f"{folder}/t.map.jsonl", "-o", f"{folder}/released.jsonl"],
    ]
    for step in steps:
        if run(*step) != 0:
            print(f"{step[0]} failed", file=sys.stderr)
            return 1
    known = fingerprints(f"{folder}/t.map.jsonl")
    own = {known[row["id"]]["id"]: row for row in csv.DictReader(open(f"{folder}/t.csv", newline=""))}
    told = {known[row["id"]]["id"]: row for row in csv.DictReader(open(f"{folder}/p.csv", newline=""))}
    wrong, checked, labels, kept = [], 0, 0, 0
    originals = [json.loads(line) for line in open(f"{folder}/docs.jsonl")]
    releases = {row["id"]: row for row in map(json.loads, open(f"{folder}/released.jsonl"))}
    for original in originals:
        name, released = original["id"], releases.get(original["id"])
        if released is None or name not in own or name not in told:
            wrong.append(f"document {name} is missing")
            continue
        place, text = 0, ""
        for edit in released["edits"]:
            # Places are counted in characters of the original.
            text += original["text"][place:edit["start"]] + edit["replacement"]
            place = edit["end"]
            kind, said = edit["type"], edit["replacement"]
            cell = own[name].get(kind) or ""
            if re.fullmatch(r"(an? )?\[[A-Z_]+( \d+)?\]\.?", said):
                labels += 1
                continue
            checked += 1
            # One wording stands for all values of the type, so that it must cover each.
            wrong += [f"document {name}: a {kind} is not covered" for value in values(cell) if not covers(kind, said, value)]
            if not cell:
                wrong.append(f"document {name}: a {kind} that was not extracted was replaced")
        if text + original["text"][place:] != released["text"]:
            wrong.append(f"document {name}: the edits do not make the released text")
        for kind, cell in told[name].items():
            if kind != "id" and cell == own[name].get(kind) and cell:
                kept += 1
    print(f"{len(originals)} documents: {checked} values replaced by wordings and {labels} by labels, {kept} cells kept; "
          f"{len(wrong)} problems")
    for line in wrong[:20]:
        print(line, file=sys.stderr)
    return 1 if wrong or checked == 0 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
