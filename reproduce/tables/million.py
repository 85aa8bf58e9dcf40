"""A million rows of ten columns, one of them a text: to measure how long protecting them takes.

    python3 million.py million.csv [rows [distinct]]

Notes are one or two short sentences, as in forms. With `distinct`, each text is made different from all others; without,
they repeat as often as sentences of so few words do.
"""
import random
import sys

PLACES = "London Paris Boston Chicago Toronto Sydney Berlin Madrid Rome Tokyo Dublin Seattle Austin Denver Miami".split()
JOBS = "teacher engineer nurse lawyer scientist painter writer manager farmer journalist programmer".split()
ILLS = "asthma diabetes migraine anaemia eczema hepatitis pneumonia gastritis".split()
STATES = [f"State-{at:02}" for at in range(50)]


def main(path, rows=1_000_000, distinct=None):
    chance = random.Random(7)
    with open(path, "w") as out:
        out.write("age,sex,state,race,education,marital,hours,date,illness,note\n")
        for at in range(int(rows)):
            place, job, number = chance.choice(PLACES), chance.choice(JOBS), chance.randint(1, 28)
            note = chance.choice([f"Lives in {place} and works as a {job}.", f"Moved to {place}. No change.", "No complaints.",
                                  "Seen again, doing well.", f"Worked as a {job} before.", f"Seen in {place}, stable."])
            if distinct:
                note += f" Note {at}."
            out.write(f"{int(min(99, max(0, chance.gauss(42, 18))))},{chance.choice('fm')},{chance.choice(STATES)},"
                      f"race-{min(5, int(chance.expovariate(1)))},{chance.randint(1, 16)},marital-{chance.randint(1, 6)},"
                      f"{chance.randint(5, 80)},200{chance.randint(0, 9)}-{chance.randint(1, 12):02}-{number:02},"
                      f'{chance.choice(ILLS)},"{note}"\n')


if __name__ == "__main__":
    main(*sys.argv[1:])
