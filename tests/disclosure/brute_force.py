#!/usr/bin/env python3
"""Checks releases of `reticent protect --protect` by brute force, with counts of its own.

    brute_force.py RETICENT [--sample N] [--work DIR] [--topics HIV,asthma] [--max-terms 1,2]

Every answer of MedQuAD about a topic is released with the default policy, its own document left out of the counts. Then
every content word that remains, and every pair of them, is counted in the corpus files again and held against the
definition, under standard and under contextual probabilities: n(c,T) n(g) > n(c) n(T) is a violation. So is a single word
whose share of documents with the secret is not shown to be below the limit (exact binomial test), a word that the
corpus does not know, and a name of the secret.

Nothing of reticent is used but the program itself, and from it only the released texts and the names that it counts as the
secret. A word is a run of letters and digits, without the possessive s, in lower case, without accents, in the singular.
Every word is a content word unless it is on the list of function words below, has a single letter, or is a number of up
to three digits. Whether it is a noun, a verb or an adjective does not matter. Words of placeholders ([DETAIL]) are none.

What is unknown or not shown counts as a violation only where `protect` returned 0; it returns 1 if it knows.
Prints a line for each topic and size, and the violations; exits with 1 if there is one, with 2 if the corpus is missing."""
import argparse, collections, gzip, json, math, pathlib, re, subprocess, sys, unicodedata

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORPUS = ROOT / "../shared/data/corpora/medquad.jsonl.gz"
# Topic: title, what is protected, what may be told at most.
TOPICS = {
    "HIV": (r"HIV|AIDS", "HIV", "virus"),
    "diabetes": (r"diabet", "diabetes", "disease"),
    "depression": (r"depress", "depression", "disorder"),
    "breast cancer": (r"breast cancer", "breast cancer", "cancer"),
    "hepatitis": (r"hepatitis", "hepatitis", "disease"),
    "epilepsy": (r"epilep", "epilepsy", "disorder"),
    "asthma": (r"asthma", "asthma", "disease"),
}
# Below that of the policy (0.95): the checker folds some plurals otherwise, which moves counts a little.
CONFIDENCE = 0.9
TOGETHER = 0.5
FUNCTION = set("""a about above after again against ain all am an and any are aren as at be because been before being below between both
but by can couldn d did didn do does doesn doing don down during each few for from further had hadn has hasn have haven having he her
here hers herself him himself his how i if in into is isn it its itself just ll m ma me mightn more most mustn my myself needn no nor
not now o of off on once only or other our ours ourselves out over own re s same shan she should shouldn so some such t than that the
their theirs them themselves then there these they this those through to too under until up ve very was wasn we were weren what when
where which while who whom why will with won wouldn y you your yours yourself yourselves""".split())
NAMES = {"Don", "Ma", "Will", "Won"}
WORD = re.compile(r"[^\W_]+")
MARK = re.compile(r"\[[A-Z][A-Z0-9_]+[ #:]?[A-Za-z0-9_=-]*\]")
IRREGULAR = dict(zip(
    """alumni appendices bacilli bacteria calves children criteria echoes feet foci fungi ganglia geese halves heroes hypotheses indices
    knives leaves lice lives loaves matrices men mice nuclei oases ova oxen parentheses phenomena potatoes shelves stimuli teeth thieves
    tomatoes vertebrae vertices wives wolves women zeroes""".split(),
    """alumnus appendix bacillus bacterium calf child criterion echo foot focus fungus ganglion goose half hero hypothesis index knife
    leaf louse life loaf matrix man mouse nucleus oasis ovum ox parenthesis phenomenon potato shelf stimulus tooth thief tomato vertebra
    vertex wife wolf woman zero""".split()))
SINGULAR = set("""always atlas besides bias biceps canvas chaos christmas cosmos diabetes ethos gallows gas has herpes lens measles mumps
news pancreas perhaps physics politics rabies rickets scabies series shingles species tennis thus towards trellis triceps was whereas
yes""".split())
IN_USE = set("abuses blouses causes clauses excuses fuses houses muses pauses spouses uses warehouses".split())


def singular(word):
    """The singular of an English word in lower case."""
    if word in IRREGULAR:
        return IRREGULAR[word]
    if len(word) < 4 or not word.endswith("s") or word in SINGULAR or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return word[:-2]
    if len(word) > 6 and word.endswith(("oses", "yses", "tases", "heses")) and word not in ("doses", "noses", "roses", "purposes", "databases"):
        return word[:-2] + "is"
    if len(word) > 5 and word.endswith("uses") and word not in IN_USE:
        return word[:-2]
    return word[:-1]


class Corpus:
    """Documents as bits of large integers."""

    def __init__(self, path):
        with gzip.open(path, "rt", encoding="utf8") as rows:
            self.rows = [json.loads(row) for row in rows]
        lower = collections.Counter()
        raw = [self.words(row["text"]) for row in self.rows]
        for words in raw:
            lower.update(word for word in words if word.islower())
        self.lower, self.folded = lower, {}
        self.texts, places = [], collections.defaultdict(list)
        for at, words in enumerate(raw):
            words = [self.fold(word) for word in words]
            self.texts.append(" " + " ".join(words) + " ")
            for word in set(words):
                places[word].append(at)
        self.sets = {word: self.bits(at) for word, at in places.items()}
        self.number = {row["id"]: at for at, row in enumerate(self.rows)}

    @staticmethod
    def words(text):
        """The words of a text without the possessive s."""
        found = list(WORD.finditer(text))
        keep = lambda at, m: not (at and m.group() in "sS" and text[found[at - 1].end():m.start()] in ("'", "’"))
        return [m.group() for at, m in enumerate(found) if keep(at, m)]

    def fold(self, word):
        if word not in self.folded:
            plain = "".join(c for c in unicodedata.normalize("NFKD", word.lower()) if not unicodedata.combining(c))
            capitals = sum(c.isupper() for c in word)
            one = plain if capitals > 1 and len(word) <= 5 else singular(plain)
            # A name keeps its s: one of which nobody writes in small letters.
            # So do `Men` and `Women`, which the index tells from `men`: a limitation of its folding.
            unknown = not self.lower[plain] and not self.lower[one]
            if capitals and one != plain and (unknown or plain in ("men", "women")):
                one = plain
            self.folded[word] = one
        return self.folded[word]

    def bits(self, places):
        out = bytearray(len(self.rows) // 8 + 1)
        for at in places:
            out[at >> 3] |= 1 << (at & 7)
        return int.from_bytes(out, "little")

    def phrase(self, term):
        words = [self.fold(word) for word in self.words(term)]
        while words and words[0] in FUNCTION:
            words = words[1:]
        if len(words) < 2:
            return self.sets.get(words[0], 0) if words else 0
        found = f" {' '.join(words)} "
        common = ~0
        for word in words:
            common &= self.sets.get(word, 0)
        return self.bits([at for at in self.members(common) if found in self.texts[at]])

    @staticmethod
    def members(bits):
        while bits:
            low = bits & -bits
            yield low.bit_length() - 1
            bits ^= low


def is_content(word):
    if word.lower() in FUNCTION and not any(c.isupper() for c in word[1:]) and word not in NAMES:
        return False
    letters, digits = sum(c.isalpha() for c in word), sum(c.isdigit() for c in word)
    return letters > 1 or digits > 3 or (letters == 1 and digits > 0)


def content(text):
    for mark in MARK.finditer(text):
        text = text[:mark.start()] + " " * len(mark.group()) + text[mark.end():]
    return {word for word in Corpus.words(text) if is_content(word)}


def shown(both, all_, limit):
    """Whether P(X <= both) <= 1 - CONFIDENCE for X binomial of all_ and limit."""
    if limit >= 1:
        return True
    if both >= all_ * limit:
        return False
    log = lambda k: math.lgamma(all_ + 1) - math.lgamma(k + 1) - math.lgamma(all_ - k + 1) + k * math.log(limit) + (all_ - k) * math.log1p(-limit)
    return math.fsum(math.exp(log(k)) for k in range(both + 1)) <= 1 - CONFIDENCE + 1e-9


def names_of(reticent, index, protect, at_most):
    command = [reticent, "explain", at_most, "--protect", protect, "--at-most", at_most, "--index", index, "--json", "--language", "en"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    subject = json.loads(done.stdout)["subjects"][0]
    return subject["names"], subject["broader"]


def check(corpus, text, own, names, at_most, broader, max_terms):
    """What a released text says too much: (kind, words) of each."""
    out = []
    mask = ~(1 << own)
    union = lambda terms: __import__("functools").reduce(int.__or__, (corpus.phrase(term) for term in terms), 0) & mask
    secret, told = union(names), corpus.phrase(at_most) & mask
    n_c, n_g, n_cg = secret.bit_count(), told.bit_count(), (secret & told).bit_count()
    kinds = [(secret, n_c)] + ([(secret & told, n_cg)] if n_cg >= 5 else [])
    spoken = " " + " ".join(corpus.fold(word) for word in corpus.words(text)) + " "
    for name in names:
        key = " ".join(corpus.fold(word) for word in corpus.words(name))
        if f" {key} " in spoken:
            out.append(("name", (name,)))
    at_bound = {corpus.fold(word) for term in (at_most, *broader) for word in [term] if " " not in term}
    words = {}
    for word in content(text):
        bits = corpus.sets.get(corpus.fold(word), 0) & mask
        if not bits:
            out.append(("unknown", (word,)))
            continue
        words[corpus.fold(word)] = bits
    for word, bits in words.items():
        n = bits.bit_count()
        for of, n_of in kinds:
            both = (bits & of).bit_count()
            if both * n_g > n_of * n:
                out.append(("exceeds", (word,)))
            elif word not in at_bound and not shown(both, n, min(n_of / n_g, TOGETHER)):
                out.append(("not shown", (word,)))
    pairs = 0
    if max_terms > 1:
        items = [(word, bits, [bits & of for of, _ in kinds]) for word, bits in sorted(words.items())]
        for at, (one, bits, ofs) in enumerate(items):
            for two, other, _ in items[at + 1:]:
                pairs += 1
                for of, (_, n_of) in zip(ofs, kinds):
                    both = (of & other).bit_count()
                    if both and both * n_g > n_of * (bits & other).bit_count():
                        out.append(("exceeds", (one, two)))
    return out, len(words), pairs


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("reticent")
    arguments.add_argument("--sample", type=int, default=0, help="answers of each topic; 0 is all")
    arguments.add_argument("--work", default=str(ROOT / "target/brute-force"))
    arguments.add_argument("--topics", default=",".join(TOPICS))
    arguments.add_argument("--max-terms", default="1,2")
    arguments.add_argument("--show", type=int, default=10, help="violations that are printed for each topic")
    options = arguments.parse_args()
    if not CORPUS.is_file():
        print("../shared/data is not here: nothing was checked", file=sys.stderr)
        sys.exit(2)
    work = pathlib.Path(options.work)
    work.mkdir(parents=True, exist_ok=True)
    index = str(work / "medquad.idx")
    subprocess.run([options.reticent, "index", "build", str(CORPUS), "--force", "-o", index], check=True, capture_output=True)
    corpus, bad = Corpus(CORPUS), 0
    for topic in options.topics.split(","):
        title, protect, at_most = TOPICS[topic]
        rows = [row for row in corpus.rows if re.search(title, row["title"], re.I if topic != "HIV" else 0)]
        if options.sample:
            rows = rows[::max(1, len(rows) // options.sample)][:options.sample]
        names, broader = names_of(options.reticent, index, protect, at_most)
        for max_terms in map(int, options.max_terms.split(",")):
            command = [options.reticent, "protect", "-", "--input-format", "jsonl", "--id-field", "id", "--protect", protect, "--at-most", at_most,
                       "--index", index, "--leave-out", "--max-terms", str(max_terms), "--language", "en", "--quiet", "-o", "-"]
            rows_in = "".join(json.dumps({"id": row["id"], "text": row["text"]}) + "\n" for row in rows)
            done = subprocess.run(command, input=rows_in, capture_output=True, text=True)
            if done.returncode not in (0, 1):
                sys.exit(done.stderr)
            found, words, pairs, withheld, changed = collections.Counter(), 0, 0, 0, 0
            shown_ = []
            for row, line in zip(rows, done.stdout.splitlines(), strict=True):
                released = json.loads(line)
                if "withheld" in released:
                    withheld += 1
                    continue
                changed += len(released["edits"])
                problems, n, p = check(corpus, released["text"], corpus.number[row["id"]], names, at_most, broader, max_terms)
                words, pairs = words + n, pairs + p
                found.update(kind for kind, _ in problems)
                shown_ += [(row["id"], *problem) for problem in problems]
            # What the program itself reports as unknown, with exit code 1, it does not call safe.
            reported = ("not shown", "unknown") if done.returncode else ()
            bad += sum(count for kind, count in found.items() if kind not in reported)
            print(f"{topic}, at most {at_most}, {max_terms}: {len(rows)} answers ({withheld} withheld), {changed} edits, {words} words and "
                  f"{pairs} pairs remain; violations: {dict(found) or 'none'}; exit code {done.returncode}", flush=True)
            for problem in shown_[:options.show]:
                print("   ", *problem)
    sys.exit(1 if bad else 0)


main()
