#!/usr/bin/env python3
"""Tables 4 to 6 of the paper on semantic correlations, in its form, on 25 biographies after other tools' spans.
biographies.py RETICENT WORK, from the top of the repository."""
import json, re, resource, subprocess, sys

RETICENT, WORK = sys.argv[1:3]
DATA = "../shared/data/wikiactors"
WORD = re.compile(r"\w+")
rows = lambda path: [json.loads(line) for line in open(path, encoding="utf8")]
GOLD = rows(f"{DATA}/gold-dev.jsonl")
NER = {row["id"]: row for row in rows(f"{DATA}/ner-spans-dev.jsonl")}


def words(text, spans):
    return {m.start() for span in spans for m in WORD.finditer(text, span[0], span[1])}


def reticent(verb, field, most, scope):
    command = [RETICENT, verb, f"{WORK}/biographies.jsonl", "--id-field", "id", "--spans", f"{DATA}/ner-spans-dev.jsonl",
               "--spans-field", field, "--correlated", "--index", f"{WORK}/actors.idx", "--leave-out", "--max-terms", str(most),
               "--context", scope, "--quiet", "-o", "-"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]


def judged(found):
    """The figures of score.py spans, of all documents."""
    path = f"{WORK}/found.jsonl"
    with open(path, "w", encoding="utf8") as out:
        out.writelines(json.dumps({"id": key, "spans": spans}) + "\n" for key, spans in found.items())
    done = subprocess.run([sys.executable, "../shared/tools/score.py", "spans", f"{DATA}/gold-dev.jsonl", path], capture_output=True, text=True, check=True)
    figures = json.loads(done.stdout)
    return tuple(100 * figures[key] for key in ("term_precision", "entity_recall", "f1"))


def score(text, gold, found):
    """Precision, recall and F of one document, as score.py has them."""
    inside, covered = words(text, gold), words(text, found)
    p = 100 * sum(1 for span in found if words(text, [span]) & inside) / len(found) if found else 0.0
    r = 100 * sum(1 for span in gold if words(text, [span]) <= covered) / len(gold) if gold else 100.0
    return p, r, 2 * p * r / (p + r) if p + r else 0.0


def mean(table):
    return [sum(column) / len(table) for column in zip(*table)]


def cells(figures):
    return " | ".join(f"{x:.1f}" for x in figures)


def correlated(row, field, found):
    """What is found beyond the other tool's words, and what of the gold that tool left."""
    text, theirs = row["text"], words(row["text"], NER[row["id"]][field])
    new = [span for span in found if not words(text, [span]) & theirs]
    left = [span for span in row["spans"] if not words(text, [span]) & theirs]
    return text, left, new


def thresholds(field):
    """Table 4: the least informative masked term, without the document itself."""
    table = []
    plans = {plan["document"]["id"]: plan for plan in reticent("plan", field, 1, "document")}
    for row in GOLD:
        text, evidence = row["text"], [e for entity in plans[row["id"]]["entities"] for m in entity["mentions"] for e in m["evidence"]]
        bound = next((e["bound"] for e in evidence if e["kind"] == "correlated"), None)
        masked = [(m["start"], m["end"]) for entity in plans[row["id"]]["entities"] for m in entity["mentions"] if any(e["kind"] == "given" for e in m["evidence"])]
        names = sorted({text[span[0]:span[1]] for span in masked + [tuple(s[:2]) for s in NER[row["id"]][field]]})
        done = subprocess.run([RETICENT, "index", "ic", "--index", f"{WORK}/actors.idx", "--without", row["id"], "--quiet", "--", *names], capture_output=True, text=True)
        known = [(float(line.split("\t")[0]), line.split("\t")[1]) for line in done.stdout.splitlines() if line[:1].isdigit()]
        bits, name = min(known)
        if bound is not None and abs(bits - bound) > 0.01:
            name, bits = f"{name} ({bits:.2f}; used: {bound:.2f})", bound
        table.append((row["entity"], name, bits))
    return table


def main():
    with open(f"{WORK}/biographies.jsonl", "w", encoding="utf8") as out:
        out.writelines(json.dumps({"id": row["id"], "text": row["text"]}) + "\n" for row in GOLD)
    found = {}
    for field in ("ner3", "ner4", "ner7"):
        for scope in ("document", "sentence"):
            for most in (1, 2):
                found[field, scope, most] = {row["id"]: row["spans"] for row in reticent("detect", field, most, scope)}
    print("\nTable 4: thresholds after NER7 (paper: 4.43 to 11.13 bits, of a search engine)\n| biography | threshold term | bits |\n|---|---|---|")
    for entity, name, bits in thresholds("ner7"):
        print(f"| {entity} | {name} | {bits:.2f} |")
    print("\nTable 5: what is found beyond NER7's spans, pairs; precision, recall, F with the document and with the sentence as context\n| biography | P | R | F | P | R | F |\n|---|---|---|---|---|---|---|")
    for_mean = []
    for row in GOLD:
        figures = sum((score(*correlated(row, "ner7", found["ner7", scope, 2][row["id"]])) for scope in ("document", "sentence")), ())
        for_mean.append(figures)
        print(f"| {row['entity']} | {cells(figures)} |")
    print(f"| average | {cells(mean(for_mean))} |\n| paper, 20 articles | 63.1 | 87.9 | 70.7 | 79.8 | 56.1 | 61.7 |")
    print("\nTable 6: NER7 alone and with correlations, pairs, document; precision, recall, F\n| biography | P | R | F | P | R | F |\n|---|---|---|---|---|---|---|")
    for row in GOLD:
        before = score(row["text"], row["spans"], NER[row["id"]]["ner7"])
        after = score(row["text"], row["spans"], found["ner7", "document", 2][row["id"]])
        print(f"| {row['entity']} | {cells(before)} | {cells(after)} |")
    average = judged({key: row["ner7"] for key, row in NER.items()}) + judged(found["ner7", "document", 2])
    print(f"| average | {cells(average)} |\n| paper, 20 articles | 89.1 | 48.9 | 61.6 | 74.9 | 93.1 | 81.7 |")
    print("\nAll first sanitizers: precision, recall, F by score.py, and of what is found beyond them\n| spans | context | terms | P | R | F | beyond: P | R | F |\n|---|---|---|---|---|---|---|---|---|")
    for field in ("ner3", "ner4", "ner7"):
        print(f"| {field.upper()} | – | – | {cells(judged({key: row[field] for key, row in NER.items()}))} | | | |")
        for (of, scope, most), spans in found.items():
            if of == field:
                beyond = mean([score(*correlated(row, field, spans[row["id"]])) for row in GOLD])
                print(f"| + correlated | {scope} | {most} | {cells(judged(spans))} | {cells(beyond)} |")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"\n{used.ru_utime + used.ru_stime:.0f} s of processor time in all.")


main()
