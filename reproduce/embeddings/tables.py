"""Prints the paper's Tables 1, 3, 4, 5, 6 and 7 beside ours, and attack against utility as the settings move."""
import json
import pathlib
import subprocess
import sys

RETICENT, WORK = sys.argv[1], pathlib.Path(sys.argv[2])
MODEL = sys.argv[3] if len(sys.argv) > 3 else None
HERE = pathlib.Path(__file__).parent
DATA = pathlib.Path("../shared/data")
ACTORS = DATA / "wikiactors"
GOLD = ACTORS / "gold-dev.jsonl"
CORPORA = ",".join(str(path) for path in [ACTORS / "corpus.jsonl.gz", *(DATA / f"corpora/{name}.jsonl.gz" for name in
                                                                        ("brown", "medquad", "movie-reviews"))])
HITS = ACTORS / "web-hits.tsv.gz"
BEST, PAPER = HERE / "policy.toml", HERE / "paper.toml"
VECTORS = ["--vectors", WORK / "actors.vec"]
FIELDS = ["--subject-field", "entity", "--id-field", "id"]


def reticent(*arguments):
    done = subprocess.run([RETICENT, "--quiet", *map(str, arguments)], stdout=subprocess.PIPE, text=True)
    # 1: released, and a look is suggested.
    if done.returncode > 1:
        sys.exit(f"reticent {arguments[0]} failed")
    return done.stdout


def figures(*arguments):
    return json.loads(reticent(*arguments, "--json").splitlines()[0])


def detect(name, policy, *more, gold=GOLD):
    out = WORK / f"{name}.spans.jsonl"
    reticent("detect", gold, *FIELDS, "-p", policy, *more, "-o", out)
    return figures("evaluate", "spans", gold, out)


def protect(name, policy, *more):
    out = WORK / f"{name}.released.jsonl"
    reticent("protect", GOLD, *FIELDS, "-p", policy, *more, "-o", out)
    return out


def table(title, heads, rows):
    print(f"\n{title}")
    widths = [max(len(str(row[at])) for row in [heads, *rows]) for at in range(len(heads))]
    for row in [heads, *rows]:
        print("  ".join(str(cell).ljust(width) for cell, width in zip(row, widths)).rstrip())


def percent(*shares):
    return " / ".join(f"{100 * share:.1f}" for share in shares)


def three(found):
    return percent(found["term_precision"], found["entity_recall"], found["f1"])


def spreads(found):
    return " / ".join(f"{100 * found[key]:.2f}" for key in ("cv_precision", "cv_recall", "cv_f1"))


def ner(classes):
    out = WORK / f"ner{classes}.spans.jsonl"
    with open(out, "w", encoding="utf8") as file:
        for line in open(ACTORS / "ner-spans-dev.jsonl", encoding="utf8"):
            row = json.loads(line)
            file.write(json.dumps({"id": row["id"], "spans": row[f"ner{classes}"]}) + "\n")
    return figures("evaluate", "spans", GOLD, out)


def setting(name, **settings):
    """A policy with one setting moved."""
    out = WORK / f"{name}.toml"
    lines = "".join(f"{key} = {value}\n" for key, value in settings.items())
    out.write_text(f'extends = "subject"\n[related]\n{lines}', encoding="utf8")
    return out


found = {f"NER{classes}": ner(classes) for classes in (3, 4, 7)}
found["the method, our vectors"] = detect("paper", PAPER, *VECTORS)
found["the method, words only"] = detect("words", PAPER, "--vectors", WORK / "words.vec", "--language", "xx")
found["our best mode"] = detect("best", BEST, *VECTORS)
paper = {
    "NER3": "96.1 / 19.6 / 32.1", "NER4": "97.6 / 34.3 / 49.7", "NER7": "98.3 / 27.9 / 42.8",
    "the method, our vectors": "82.7 / 81.2 / 81.7", "the method, words only": "83.5 / 59.8 / 69.0",
}
table("Table 1: precision / recall / F1, in per cent (the paper: 50 documents; ours: 25 of them)",
      ["", "paper", "ours"], [[name, paper.get(name, "-"), three(found[name])] for name in found])
best = found["our best mode"]
print(f"our best mode, words: precision {best['word_precision']:.4f}, recall {best['word_recall']:.4f}")

paper = {"NER3": "0.48 / 2.14 / 2.41", "NER4": "0.16 / 3.67 / 2.97", "NER7": "0.09 / 2.65 / 2.34",
         "the method, our vectors": "0.52 / 0.67 / 0.31"}
table("Table 3: variance over mean of the same, in per cent", ["", "paper", "ours"],
      [[name, paper.get(name, "-"), spreads(found[name])] for name in found])

pairs = WORK / "pairs.jsonl"
pairs.write_text(subprocess.run([sys.executable, HERE / "pairs.py", GOLD], check=True, capture_output=True,
                                encoding="utf8").stdout, encoding="utf8")
table("Table 4: two people in one text (the paper: one text; ours: 100 pairs)", ["", "paper", "ours"], [
    ["the method", "68.0 / 81.8 / 74.3", three(detect("pairs-paper", PAPER, *VECTORS, gold=pairs))],
    ["our best mode", "-", three(detect("pairs-best", BEST, *VECTORS, gold=pairs))],
])

rows = [["trained on the corpus", "82.7 / 81.2 / 81.7", three(found["the method, our vectors"]), three(best)],
        ["GloVe, as shipped", "-", three(detect("glove", PAPER)), three(detect("glove-best", BEST))]]
if MODEL:
    context = ["--vectors", MODEL]
    rows.append(["BERT-like", "81.8 / 72.3 / 76.0", three(detect("context", PAPER, *context)),
                 three(detect("context-best", BEST, *context))])
table("Table 5: other vectors (the paper has fastText 75.9 and 76.2, Google News 35.6)",
      ["", "paper", "the method", "our best mode"], rows)

released = {"the method, our vectors": protect("paper", PAPER, *VECTORS), "our best mode": protect("best", BEST, *VECTORS)}
baselines = ACTORS / "baselines-dev.jsonl"
rows = []
for name, theirs in [("ner3", "67.0 / 85.4"), ("ner4", "39.7 / 74.7"), ("ner7", "54.0 / 81.3"), ("presidio", "54.0 / 81.0")]:
    kept = figures("evaluate", "utility", GOLD, baselines, "--field", name, "--hits", HITS, "--count-placeholders")
    rows.append([name, theirs, percent(kept["suppression"], kept["generalization"])])
for name, out in released.items():
    kept = figures("evaluate", "utility", GOLD, out, "--hits", HITS)
    theirs = "48.5 / 85.0" if "method" in name else "-"
    rows.append([name, theirs, percent(kept["suppression"], kept["generalization"])])
table("Table 6: information content kept, by web counts: suppression / generalization", ["", "paper", "ours"], rows)

public = ACTORS / "public-knowledge.jsonl.gz"
theirs = {"original": "84.7", "manual": "2.0", "ner3": "18.0", "ner4": "16.0", "ner7": "37.3", "presidio": "18.7",
          "word2vec_t=0.25": "10.0"}
rows = []


def attacked(path, *field):
    methods = ("tfidf", "classifier", "embedding")
    return [percent(figures("attack", public, path, "--method", method, *field)["reidentified"]) for method in methods]


for name in theirs:
    rows.append([name, theirs[name], *attacked(baselines, "--field", name)])
for name, out in released.items():
    rows.append([name, "-", *attacked(out)])
table("Table 7: re-identified, in per cent", ["", "paper (BERT)", "tf-idf", "classifier", "embedding"], rows)

points = []
for series, key, values, base in [
    ("the method", "threshold", (0.0, 0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7), {"method": '"similar"'}),
    ("our best mode", "bits", (8.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0),
     {"said_bits": 10.5}),
]:
    for value in values:
        out = protect("sweep", setting("sweep", **base, **{key: value}), *VECTORS)
        points.append({
            "series": series, "label": f"{key} {value}",
            "attack": figures("attack", public, out)["reidentified"],
            "utility": figures("evaluate", "utility", GOLD, out, "--corpus", CORPORA)["utility"],
        })
for name in ("word2vec_t=0.25", "word2vec_t=0.5", "manual", "presidio", "spacy"):
    points.append({
        "series": "as released by others", "label": name,
        "attack": figures("attack", public, baselines, "--field", name)["reidentified"],
        "utility": figures("evaluate", "utility", GOLD, baselines, "--field", name, "--corpus", CORPORA)["kept"],
    })
frontier = WORK / "frontier.jsonl"
frontier.write_text("".join(json.dumps(point) + "\n" for point in points), encoding="utf8")
print("\nAttack (tf-idf, share re-identified) against utility, as the settings move")
print(reticent("evaluate", "frontier", frontier, "--plot", WORK / "frontier.svg"))
