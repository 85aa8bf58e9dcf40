#!/usr/bin/env python3
"""Tables 1 to 3 of the paper on (C, g(C))-sanitization, beside ours, on health answers; and how what is risky changes with what may
be told.  health.py RETICENT WORK, from the top of the repository."""
import collections, gzip, json, re, resource, subprocess, sys

RETICENT, WORK = sys.argv[1:3]
# The answers about HIV and AIDS; the one about STDs, and those about the STDs that it lists, from the same source.
HIV = re.compile(r"HIV|AIDS")
STD = re.compile(r"^(Sexually Transmitted Diseases|Chlamydia Infections|Gonorrhea|Genital Herpes|Genital Warts|HPV|Syphilis|Trichomoniasis)$")
PAPER = {  # (what, at most, MAX, probabilities): precision, recall, F
    ("HIV", None, 1, "standard"): (100, 23.8, 38.4), ("HIV", None, 2, "standard"): (65.5, 90.5, 76),
    ("HIV", "virus", 1, "standard"): (88.9, 38.1, 53.3), ("HIV", "virus", 1, "contextual"): (84.2, 76.2, 80),
    ("HIV", "virus", 2, "standard"): (61.3, 100, 76), ("HIV", "virus", 2, "contextual"): (67.7, 100, 80.7),
    ("HIV", "infection", 1, "standard"): (100, 33.3, 50), ("HIV", "infection", 1, "contextual"): (74, 95.2, 83.3),
    ("HIV", "infection", 2, "standard"): (53.8, 100, 70), ("HIV", "infection", 2, "contextual"): (58.3, 100, 73.7),
    ("STD", None, 1, "standard"): (87.5, 18.9, 31.1), ("STD", None, 2, "standard"): (64.1, 67.6, 65.8),
    ("STD", "disease", 1, "standard"): (73.3, 29.7, 42.3), ("STD", "disease", 1, "contextual"): (73.3, 59.4, 65.6),
    ("STD", "disease", 2, "standard"): (62.1, 97.3, 75.8), ("STD", "disease", 2, "contextual"): (61.2, 100, 75.9),
}
TIMES = {(1, "standard"): "1 min", (1, "contextual"): "2 min", (2, "standard"): "40 min", (2, "contextual"): "41 min"}
NOT_RELEASED = "reveal more about a subject than the policy allows"
PROTECTED = {"HIV": "HIV", "STD": "sexually transmitted disease"}


def documents(which, path):
    with gzip.open("../shared/data/corpora/medquad.jsonl.gz", "rt", encoding="utf8") as rows:
        chosen = [row for row in map(json.loads, rows) if which.search(row["title"])]
    if which is STD:
        chosen = [row for row in chosen if row["id"].startswith("4_MPlus")]
    with open(path, "w", encoding="utf8") as out:
        out.writelines(json.dumps({"id": row["id"], "text": row["text"]}) + "\n" for row in chosen)
    return chosen


def expert(section):
    """Each term with how it is found in a text."""
    terms, inside = [], False
    for line in open("reproduce/disclosure/expert.txt", encoding="utf8"):
        line = line.strip()
        if line.startswith("["):
            inside = line == f"[{section}]"
        elif inside and line and not line.startswith("#"):
            words = r"\s+".join(map(re.escape, line.split()))
            terms.append((line, re.compile(rf"(?<!\w){words}(?!\w)", 0 if line.isupper() else re.I)))
    return terms


def protect(path, what, at_most, most, which, index="medquad", leave_out=True, verb="protect", criterion="literal"):
    """What is released of each document: the places changed; and the processor seconds per document. A document that could not be
    released within the bound is left out."""
    command = [RETICENT, verb, "-", "--input-format", "jsonl", "--id-field", "id", "--protect", what, "--index", f"{WORK}/{index}.idx",
               "--max-terms", str(most), "--context", "document", "--quiet", "-o", "-", "--criterion", criterion] + ["--leave-out"] * leave_out
    if criterion == "literal":
        command += ["--unknown-terms", "names-and-rare"]
    if at_most:
        command += ["--at-most", at_most, "--force-at-most", "--probabilities", which]
    originals = open(path, encoding="utf8").read().splitlines(keepends=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, input="".join(originals), capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    for refusal in ("no more frequent than", "never co-occur", "more informative than"):
        if done.returncode == 2 and refusal in done.stderr:
            return refusal, 0
    released = done.stdout.splitlines()
    asked = len(originals)
    if done.returncode == 2 and NOT_RELEASED in done.stderr:
        before = after
        each = [subprocess.run(command, input=original, capture_output=True, text=True) for original in originals]
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        originals = [original for original, one in zip(originals, each) if NOT_RELEASED not in one.stderr]
        released = [one.stdout for one in each if NOT_RELEASED not in one.stderr]
    elif done.returncode not in (0, 1):
        sys.exit(done.stderr)
    rows = [json.loads(line) for line in released]
    kept = [(row, original) for row, original in zip(rows, originals, strict=True) if "withheld" not in row]
    rows, originals = [row for row, _ in kept], [original for _, original in kept]
    for row, original in zip(rows, originals, strict=True):
        row["text"] = json.loads(original)["text"]
        row["spans"] = row["spans"] if verb == "detect" else [(edit["start"], edit["end"]) for edit in row["edits"]]
    return rows, (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / asked


def folded(text):
    return re.sub(r"^(an?|the) ", "", " ".join(text.lower().split()))


def score(rows, terms):
    """Different terms of each document: a masked one is right if the expert's reach into it; one of the expert's is found if all
    its words are masked wherever it stands."""
    right = masked = found = wanted = 0
    for row in rows:
        text = row["text"]
        words = {m.start(): m.end() for m in re.finditer(r"\w+", text)}
        within = lambda start, end: {at for at in words if start <= at < end}
        places = [(term, [within(m.start(), m.end()) for m in pattern.finditer(text)]) for term, pattern in terms]
        theirs = set().union(*(place for _, all_ in places for place in all_))
        ours = set().union(*(within(start, end) for start, end, *_ in row["spans"]))
        by_term = {}
        for start, end, *_ in row["spans"]:
            by_term.setdefault(folded(text[start:end]), []).append(within(start, end))
        masked += len(by_term)
        right += sum(1 for all_ in by_term.values() if any(place & theirs for place in all_))
        wanted += sum(1 for _, all_ in places if all_)
        found += sum(1 for _, all_ in places if all_ and all(place <= ours for place in all_))
    p, r = 100 * right / masked if masked else 0, 100 * found / wanted
    return p, r, 2 * p * r / (p + r) if p + r else 0, masked


def table(number, name, which, models):
    path = f"{WORK}/{name.lower()}.jsonl"
    chosen, terms = documents(which, path), expert(name)
    print(f"\nTable {number}: {name}, {len(chosen)} answers, {sum(len(row['text']) for row in chosen)} characters; paper in brackets")
    print("| model | MAX | probabilities | precision | recall | F | terms masked | ms per document |\n|---|---|---|---|---|---|---|---|")
    results = []
    for at_most in models:
        for most in (1, 2):
            for kind in ("standard", "contextual", "within") if at_most else ("standard",):
                rows, seconds = protect(path, PROTECTED[name], at_most, most, kind)
                p, r, f, masked = score(rows, terms)
                paper = PAPER.get((name, at_most, most, kind))
                beside = [f" ({x})" for x in paper] if paper else ["", "", ""]
                model = f"({name}, {at_most})" if at_most else name
                print(f"| {model} | {most} | {kind} | {p:.1f}{beside[0]} | {r:.1f}{beside[1]} | {f:.1f}{beside[2]} | {masked}{f' (of {len(rows)} answers; the others were not released)' if len(rows) < len(chosen) else ''} | {1000 * seconds:.0f} |")
                results.append((most, kind, p, r, f, seconds))
    return results


def knowledge():
    """What more knowledge gives: the documents themselves, and the other corpora."""
    print("\n(HIV, virus), contextual, by what the attacker has read\n| knowledge | MAX | precision | recall | F | terms masked |\n|---|---|---|---|---|---|")
    for name, index, out in (("health answers but the document", "medquad", True), ("and the document itself", "medquad", False),
                             ("all four corpora but the document", "all", True), ("and the document itself", "all", False)):
        for most in (1, 2):
            rows, _ = protect(f"{WORK}/hiv.jsonl", "HIV", "virus", most, "contextual", index, out)
            p, r, f, masked = score(rows, expert("HIV"))
            print(f"| {name} | {most} | {p:.1f} | {r:.1f} | {f:.1f} | {masked} |")


def names():
    """The direct names, and ordinary words."""
    sets = {"names": ["HIV", "AIDS", "human immunodeficiency virus", "immunodeficiency syndrome"], "ordinary words": ["month", "months", "hotline", "provider", "day", "years"]}
    for most in (1, 2):
        for criterion, kind in (("literal", "contextual"), ("confident", "both")):
            rows, _ = protect(f"{WORK}/hiv.jsonl", "HIV", "virus", most, kind, criterion=criterion)
            for what, terms in sets.items():
                places = masked = 0
                for row in rows:
                    covered = {at for start, end, *_ in row["spans"] for at in range(start, end)}
                    for m in (m for term in terms for m in re.finditer(rf"\b{term}\b", row["text"])):
                        places, masked = places + 1, masked + set(range(*m.span())).issubset(covered)
                print(f"(HIV, virus), MAX {most}, {kind}, {criterion}: {what} ({', '.join(terms)}) masked at {masked} of {places} places")


def missed(name, at_most, most, kind):
    """Which of the expert's terms stay, and which masked ones are none of theirs, the most frequent first."""
    rows, _ = protect(f"{WORK}/{name.lower()}.jsonl", PROTECTED[name], at_most, most, kind)
    stays, more = collections.Counter(), collections.Counter()
    terms = expert(name)
    for row in rows:
        stays.update(term for term in terms_of(row, terms) if not score([row], [t for t in terms if t[0] == term])[1])
        more.update({folded(row["text"][start:end]) for start, end, *_ in row["spans"]
                     if not any(m.start() < end and start < m.end() for _, p in terms for m in p.finditer(row["text"]))})
    show = lambda counter: ", ".join(sorted(counter, key=lambda term: (-counter[term], term))[:24])
    print(f"\n({name}, {at_most}), MAX {most}, {kind}. Stay: {show(stays)}.\nMasked and not on the list: {show(more)}.")


def terms_of(row, terms):
    return [term for term, pattern in terms if pattern.search(row["text"])]


def averages(results):
    paper = {(1, "standard"): (89.9, 28.8, 43), (1, "contextual"): (77.2, 76.9, 76.3), (2, "standard"): (61.4, 91.1, 72.7), (2, "contextual"): (62.4, 100, 76.8)}
    print("\nTable 3: averages over the models; paper in brackets")
    print("| MAX | probabilities | precision | recall | F | time per document |\n|---|---|---|---|---|---|")
    for most in (1, 2):
        for kind in ("standard", "contextual", "within"):
            of = [row[2:] for row in results if row[:2] == (most, kind)]
            mean = [sum(column) / len(of) for column in zip(*of)]
            beside = [f" ({x})" for x in paper.get((most, kind), ())] or ["", "", ""]
            time = f" ({TIMES[most, kind]})" if (most, kind) in TIMES else ""
            print(f"| {most} | {kind} | {mean[0]:.1f}{beside[0]} | {mean[1]:.1f}{beside[1]} | {mean[2]:.1f}{beside[2]} | {1000 * mean[3]:.0f} ms{time} |")


def confident():
    """The default: by both kinds of probability, and only what is shown to be safe stays."""
    print("\nThe confident criterion, both kinds of probability\n| model | MAX | precision | recall | F | terms masked | ms per document |\n|---|---|---|---|---|---|---|")
    for name, at_most in (("HIV", None), ("HIV", "virus"), ("HIV", "infection"), ("STD", None), ("STD", "disease")):
        for most in (1, 2):
            rows, seconds = protect(f"{WORK}/{name.lower()}.jsonl", PROTECTED[name], at_most, most, "both", criterion="confident")
            p, r, f, masked = score(rows, expert(name))
            model = f"({name}, {at_most})" if at_most else name
            print(f"| {model} | {most} | {p:.1f} | {r:.1f} | {f:.1f} | {masked} | {1000 * seconds:.0f} |")


def changes():
    """How what is risky alone changes as what may be told becomes more general: what is found, before what is released is looked at again."""
    print("\nRisky single terms as what may be told grows more general (different terms of each document)")
    print("| of | probabilities | at most | may be told, bits | risky | also risky before | no longer risky | documents with such |\n|---|---|---|---|---|---|---|---|")
    chains = [("HIV", ["virus", "microorganism", "organism"]), ("HIV", ["virus", "infection", "disease", "condition"]),
              ("STD", ["infection", "disease", "condition"])]
    for name, chain in chains:
        bits = [f"{float(line.split()[0]):.2f}" for line in content(chain)]
        for kind in ("standard", "contextual", "within"):
            before = None
            for at_most, may in zip(chain, bits):
                rows, _ = protect(f"{WORK}/{name.lower()}.jsonl", PROTECTED[name], at_most, 1, kind, verb="detect")
                if isinstance(rows, str):
                    print(f"| {name} | {kind} | {at_most} | {may} | refused: {rows} {name} | | | |")
                    continue
                risky = {row["id"]: {folded(row["text"][start:end]) for start, end, *_ in row["spans"]} for row in rows}
                count = sum(map(len, risky.values()))
                if before is None:
                    print(f"| {name} | {kind} | {at_most} | {may} | {count} | | | |")
                else:
                    pairs = [(before[key], risky[key]) for key in risky if key in before]
                    both, lost = sum(len(a & b) for a, b in pairs), [len(a - b) for a, b in pairs]
                    print(f"| {name} | {kind} | {at_most} | {may} | {count} | {both} | {sum(lost)} | {sum(map(bool, lost))} of {len(pairs)} |")
                before = risky


def content(terms):
    """Lines `bits, term`."""
    done = subprocess.run([RETICENT, "index", "ic", "--index", f"{WORK}/medquad.idx", *terms], capture_output=True, text=True)
    return done.stdout.splitlines()


results = table(1, "HIV", HIV, [None, "virus", "infection"])
results += table(2, "STD", STD, [None, "disease"])
averages(results)
confident()
knowledge()
print()
names()
changes()
for most in (1, 2):
    missed("HIV", "virus", most, "contextual")
missed("STD", "disease", 1, "contextual")
