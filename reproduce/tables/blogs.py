"""A table of the shape of the Blog Authorship Corpus (Schler et al.): 19,319 persons, 681,260 posts.

The corpus itself may not be passed on, so that this one is made up: ages, topics and signs as the corpus has them, posts
for each person as skewed as there, and sentences that name persons, places, jobs, companies, languages and days. What is
named follows Zipf's law, so that a few terms are said by many and most by hardly anyone. The same seed gives the same
table.

    python3 blogs.py blogs.csv [persons [posts [seed]]]
"""
import csv
import itertools
import random
import sys

TOPICS = """indUnk Student Technology Arts Education Communications-Media Internet Non-Profit Engineering Law Publishing Science
Government Consulting Religion Fashion Marketing Advertising BusinessServices Banking Chemicals Telecommunications Accounting
Military Museums-Libraries Sports-Recreation HumanResources RealEstate Transportation Manufacturing Biotech Tourism
LawEnforcement-Security Architecture InvestmentBanking Automotive Agriculture Construction Environment Maritime""".split()
SIGNS = "Aries Taurus Gemini Cancer Leo Virgo Libra Scorpio Sagittarius Capricorn Aquarius Pisces".split()
MONTHS = """January February March April May June July August September October November December""".split()
FIRST = """James Mary John Patricia Robert Jennifer Michael Linda William Elizabeth David Barbara Richard Susan Joseph Jessica
Thomas Sarah Charles Karen Christopher Nancy Daniel Lisa Matthew Betty Anthony Margaret Mark Sandra Donald Ashley Steven
Kimberly Paul Emily Andrew Donna Joshua Michelle Kenneth Carol Kevin Amanda Brian Dorothy George Melissa Edward Deborah""".split()
LAST = """Smith Johnson Williams Brown Jones Garcia Miller Davis Rodriguez Martinez Hernandez Lopez Gonzalez Wilson Anderson
Thomas Taylor Moore Jackson Martin Lee Perez Thompson White Harris Sanchez Clark Ramirez Lewis Robinson Walker Young Allen
King Wright Scott Torres Nguyen Hill Flores Green Adams Nelson Baker Hall Rivera Campbell Mitchell Carter Roberts""".split()
PLACES = """London Paris Boston Chicago Toronto Sydney Berlin Madrid Rome Tokyo Dublin Seattle Austin Denver Miami Atlanta Houston
Dallas Phoenix Portland Montreal Vancouver Melbourne Singapore Manila Delhi Mumbai Munich Vienna Prague Lisbon Oslo Stockholm
Copenhagen Helsinki Warsaw Budapest Athens Cairo Nairobi Lima Bogota Santiago Canada Mexico Germany France Italy Spain
Japan Australia India Ireland Scotland Texas California Florida Ohio Michigan""".split()
JOBS = """teacher engineer nurse lawyer scientist biologist painter singer writer manager farmer journalist programmer doctor
dentist plumber waiter librarian accountant architect carpenter chemist surgeon actress pilot tailor""".split()
COMPANIES = """Google Microsoft Apple Starbucks Walmart Yahoo IBM Amazon Nike Sony Toyota Disney Nokia Intel Boeing Siemens
Samsung Nestle Pfizer Ikea""".split()
LANGUAGES = "English Spanish French German Japanese Italian Chinese Russian Portuguese Arabic Korean Dutch".split()
PLAIN = ["I had a good day and slept well.", "Nothing much happened, to be honest.", "The weather was fine again.",
         "Stay tuned for more.", "I should be working right now.", "We cooked dinner and watched a film.",
         "My head hurts a bit.", "Thanks to all who wrote to me."]
TEMPLATES = ["I met {person} in {place}.", "We are flying to {place} soon.", "I would love to live in {place}.",
             "She works as a {job} in {place}.", "My brother wants to be a {job}.", "I sent my papers to {company}.",
             "I am learning {language} now.", "He speaks {language} and some {language}.", "{person} called me.",
             "It happened on {day}.", "I saw {person} at {company} with {person}."]


class Zipf:
    """Draws from a list: the n-th about 1/n as often as the first."""

    def __init__(self, values):
        self.values = values
        self.sums = list(itertools.accumulate(1 / (at + 1) for at in range(len(values))))

    def draw(self, chance):
        return chance.choices(self.values, cum_weights=self.sums)[0]


def main(path, persons=19_319, posts=681_260, seed=7):
    persons, posts, chance = int(persons), int(posts), random.Random(int(seed))
    names = [f"{first} {last}" for first in FIRST for last in LAST]
    chance.shuffle(names)
    draw = {"person": Zipf(FIRST + names), "place": Zipf(PLACES), "job": Zipf(JOBS), "company": Zipf(COMPANIES),
            "language": Zipf(LANGUAGES)}
    topics = Zipf(TOPICS)
    # As skewed as in the corpus: most persons have a few posts, some have hundreds.
    shares = [chance.paretovariate(1.2) for _ in range(persons)]
    whole = sum(shares)
    counts = [1 + int((posts - persons) * share / whole) for share in shares]
    for at in range(posts - sum(counts)):
        counts[at % persons] += 1

    def sentence():
        if chance.random() < 0.6:
            return chance.choice(PLAIN)
        text = chance.choice(TEMPLATES)
        while "{" in text:
            kind = text[text.index("{") + 1:text.index("}")]
            said = f"{chance.randint(1, 28)} {chance.choice(MONTHS)} {chance.randint(2001, 2004)}" if kind == "day" \
                else draw[kind].draw(chance)
            text = text.replace("{" + kind + "}", said, 1)
        return text

    with open(path, "w", newline="") as out:
        rows = csv.writer(out)
        rows.writerow(["id", "gender", "age", "topic", "sign", "date", "text"])
        for person, count in enumerate(counts):
            gender = chance.choice(["male", "female"])
            age = chance.choice([chance.randint(13, 17), chance.randint(23, 27), chance.randint(33, 48)])
            topic, sign = topics.draw(chance), chance.choice(SIGNS)
            for _ in range(count):
                date = f"{chance.randint(1, 28):02},{chance.choice(MONTHS)},{chance.choice([2002, 2003, 2003, 2004, 2004, 2004])}"
                text = " ".join(sentence() for _ in range(chance.randint(1, 4)))
                rows.writerow([1_000_000 + person, gender, age, topic, sign, date, text])


if __name__ == "__main__":
    main(*sys.argv[1:])
