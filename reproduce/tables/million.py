"""A million rows of ten columns, one of them a text: to measure how long protecting them takes.

    python3 million.py million.csv [rows [distinct]]

Notes are one or two short sentences, as in forms, of so few words that they repeat. With `distinct`, no two notes are the
same: 40 to 120 letters that mention ages, dates, places, names and jobs, often as the columns of their row say them, or
nothing of that kind.
"""
import random
import sys

PLACES = "London Paris Boston Chicago Toronto Sydney Berlin Madrid Rome Tokyo Dublin Seattle Austin Denver Miami".split()
JOBS = "teacher engineer nurse lawyer scientist painter writer manager farmer journalist programmer".split()
ILLS = "asthma diabetes migraine anaemia eczema hepatitis pneumonia gastritis".split()
STATES = [f"State-{at:02}" for at in range(50)]
MONTHS = "January February March April May June July August September October November December".split()
FIRST = "Anna Peter Maria John Laura Daniel Sofia Martin Emma Lucas Helen Victor Nora Oscar Julia Simon".split()
LAST = "Weaver Lindqvist Moreau Hartley Okafor Brandt Castellano Novak Whitfield Tanaka Ferreira Olsen".split()
DID = "came back slept well ate little walked alone felt better was tired complained stayed quiet asked for advice".split()
DID = [" ".join(DID[at:at + 2]) for at in range(0, len(DID), 2)]
SYMPTOMS = "cough headache fever nausea dizziness fatigue itching pain swelling cramps".split()
WHEN = "in the morning,at night,after meals,since yesterday,for some days,now and then,when resting,all the time".split(",")
ADVICE = ("drink more water,rest at home,take the tablets with food,call again if it gets worse,keep a diary,avoid heavy meals,"
          "walk every day,reduce salt,continue as before,stop the ointment").split(",")
HOW = "slightly,clearly,hardly,somewhat,much,a little".split(",")


def plain(chance):
    """A note that mentions nothing of the person."""
    pick = chance.choice
    sentences = [f"Reports {pick(SYMPTOMS)} and {pick(SYMPTOMS)} {pick(WHEN)}.", f"The {pick(SYMPTOMS)} is {pick(HOW)} better {pick(WHEN)}.",
                 f"Patient {pick(DID)} and {pick(DID)}.", f"Advised to {pick(ADVICE)} and to {pick(ADVICE)}.",
                 f"No {pick(SYMPTOMS)}, but {pick(SYMPTOMS)} {pick(WHEN)}.", f"Was told to {pick(ADVICE)}; {pick(DID)}."]
    return " ".join(chance.sample(sentences, 2))


def telling(chance, age, year, month, day):
    """A note that mentions something of the person, at times what the columns say."""
    pick = chance.choice
    place, other, job, name = pick(PLACES), pick(PLACES), pick(JOBS), f"{pick(FIRST)} {pick(LAST)}"
    sentences = [f"{age} years old, lives in {place} and works as a {job}.", f"Seen on {day} {MONTHS[month - 1]} {year} by Dr {name}.",
                 f"Moved from {place} to {other}.", f"Came with {name}, who is a {job}.", f"Has {pick(SYMPTOMS)} {pick(WHEN)}.",
                 f"Worked as a {job} in {place} before.", f"Since {MONTHS[month - 1]} {year} {pick(SYMPTOMS)} {pick(WHEN)}.",
                 f"A {age}-year-old {job} with {pick(SYMPTOMS)}.", f"Was told to {pick(ADVICE)}."]
    return " ".join(chance.sample(sentences, 2))


def different(chance, known, row):
    """A note that no other row has."""
    while True:
        note = plain(chance) if chance.random() < .4 else telling(chance, *row)
        if note not in known and 40 <= len(note) <= 120:
            known.add(note)
            return note


def main(path, rows=1_000_000, distinct=None):
    chance = random.Random(7)
    known = set()
    with open(path, "w") as out:
        out.write("age,sex,state,race,education,marital,hours,date,illness,note\n")
        for at in range(int(rows)):
            place, job, number = chance.choice(PLACES), chance.choice(JOBS), chance.randint(1, 28)
            note = chance.choice([f"Lives in {place} and works as a {job}.", f"Moved to {place}. No change.", "No complaints.",
                                  "Seen again, doing well.", f"Worked as a {job} before.", f"Seen in {place}, stable."])
            age, sex, state = int(min(99, max(0, chance.gauss(42, 18)))), chance.choice("fm"), chance.choice(STATES)
            race, education, marital = min(5, int(chance.expovariate(1))), chance.randint(1, 16), chance.randint(1, 6)
            hours, year, month = chance.randint(5, 80), 2000 + chance.randint(0, 9), chance.randint(1, 12)
            illness = chance.choice(ILLS)
            if distinct:
                note = different(chance, known, (age, year, month, number))
            out.write(f"{age},{sex},{state},race-{race},{education},marital-{marital},{hours},"
                      f'{year}-{month:02}-{number:02},{illness},"{note}"\n')


if __name__ == "__main__":
    main(*sys.argv[1:])
