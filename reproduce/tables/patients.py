"""A table of patients with 13 quasi-identifiers whose notes repeat them as people write: to look for what survives.

    python3 patients.py generate patients.csv [rows [seed]]     # writes patients.csv and patients.csv.clinical.json
    python3 patients.py search patients.csv released.csv        # exit code 1 if a value survives, or too many words are lost

All persons, places of work and courses of illness are invented at random; the same seed gives the same table. `search` shares
no code with reticent: it looks for every original value of a row in the note of the released row, unless the released cell says
it. Rows may be in any order: a released row is that of the original whose cells it covers and whose note it shares most words with.
"""
import csv
import datetime
import json
import random
import re
import sys
import unicodedata

COLUMNS = ["patient", "name", "sex", "age", "birth_date", "zip", "city", "marital_status", "occupation", "hba1c", "weight_kg", "income",
           "admitted", "ethnicity", "insurance", "diagnosis", "note"]
FIRST = {"F": "Mara Ilse Noor Petra Wanda Lidia Carmen Yuki Amara Solveig Odette Rhea".split(),
         "M": "Anton Boris Diego Emil Farid Goran Hugo Ivo Jonas Kaspar Lorenz Matteo".split()}
LAST = "Abendroth Brakwell Castañer Dunmorrow Eriksholm Fontrubia Galvarez Hintermoser Ibarguren Jankowiak Kellwright Lindermann".split()
CITIES = ["Zurich, Switzerland", "Geneva, Switzerland", "Bern, Switzerland", "Boston, Massachusetts", "Worcester, Massachusetts",
          "Portland, Oregon", "Salem, Oregon", "Seville, Spain", "Bilbao, Spain", "Cork, Ireland"]
CODES = {"Massachusetts": "MA", "Oregon": "OR"}
PEOPLE = {"Switzerland": "Swiss", "Spain": "Spanish", "Ireland": "Irish"}
MARITAL = ["Married", "Single", "Divorced", "Widowed"]
JOBS = ["Teacher", "Registered nurse", "Truck driver", "Carpenter", "Accountant", "Farmer", "Electrician", "Librarian"]
ETHNIC = ["White", "Black", "Asian", "Hispanic or Latino"]
INSURERS = ["Medicare", "Medicaid", "Blue Cross", "Private", "None"]
DIAGNOSES = "diabetes hypertension asthma migraine anaemia gastritis eczema pneumonia".split()
MONTHS = "January February March April May June July August September October November December".split()
MESES = "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split()
UNITS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
TENS = "x x twenty thirty forty fifty sixty seventy eighty ninety".split()
UNIDADES = ("cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho "
            "diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve").split()
DECENAS = "x x x treinta cuarenta cincuenta sesenta setenta ochenta noventa".split()
CASADO = {"Married": ("casado", "casada"), "Single": ("soltero", "soltera"), "Divorced": ("divorciado", "divorciada"),
          "Widowed": ("viudo", "viuda")}
CLINICAL = ["Pt c/o fatigue and polyuria.", "Hx HTN, COPD and GERD.", "Denies chest pain or dyspnoea.", "WBC and CRP within normal limits.",
            "White blood cell count unremarkable.", "Given a single dose of ceftriaxone.", "ECG shows sinus rhythm.", "Lungs clear, abdomen soft.",
            "Continue metformin and lisinopril.", "F/u in clinic after repeat bloods.", "CT abdomen without contrast was normal.",
            "No oedema, no rash, no fever.", "Reports nausea after meals.", "Advised low salt diet and daily walks.",
            "Moved to a private room for isolation.", "BP stable on amlodipine.", "Wound dry, sutures removed.", "SOB on exertion, improving.",
            "Takes ibuprofen for headache.", "Black stools denied, appetite good.", "Hypoglycaemia explained, diary started.",
            "Inhaler technique checked.", "MRI requested because of persistent vertigo.", "Physiotherapy twice weekly."]
CLINICA = ["Refiere cansancio y poliuria.", "Niega dolor torácico y disnea.", "Analítica sin alteraciones.", "Continúa con metformina.",
           "Abdomen blando, sin dolor.", "Se explica la dieta y se revisa la técnica del inhalador.", "Acude con tos y fiebre desde el lunes."]


def in_words(n):
    if n < 20:
        return UNITS[n]
    if n < 100:
        return TENS[n // 10] + ("-" + UNITS[n % 10] if n % 10 else "")
    if n < 1000:
        return UNITS[n // 100] + " hundred" + (" and " + in_words(n % 100) if n % 100 else "")
    return in_words(n // 1000) + " thousand" + (" " + in_words(n % 1000) if n % 1000 else "")


def en_palabras(n):
    return UNIDADES[n] if n < 30 else DECENAS[n // 10] + (" y " + UNIDADES[n % 10] if n % 10 else "")


def grouped(n, mark):
    return f"{n:,}".replace(",", mark)


def person(chance, at):
    sex = chance.choice("FM")
    admitted = datetime.date(2021, 1, 1) + datetime.timedelta(chance.randrange(1000))
    born = admitted - datetime.timedelta(chance.randrange(21 * 365, 88 * 365))
    age = admitted.year - born.year - ((admitted.month, admitted.day) < (born.month, born.day))
    return {"patient": f"P{at:05}", "name": f"{chance.choice(FIRST[sex])} {chance.choice(LAST)}", "sex": sex, "age": age,
            "birth_date": born, "zip": f"{chance.choice('0123456789')}{chance.randrange(1000, 9999)}", "city": chance.choice(CITIES),
            "marital_status": chance.choice(MARITAL), "occupation": chance.choice(JOBS), "hba1c": chance.randrange(48, 131) / 10,
            "weight_kg": chance.randrange(450, 1300) / 10, "income": chance.randrange(18_000, 140_000, 500), "admitted": admitted,
            "ethnicity": chance.choice(ETHNIC), "insurance": chance.choice(INSURERS), "diagnosis": chance.choice(DIAGNOSES)}


def english(p, chance):
    """Sentences in which people say what the columns say."""
    pick = chance.choice
    town, land = p["city"].split(", ")
    born, admitted = p["birth_date"], p["admitted"]
    job, state, h, w, n = p["occupation"], p["marital_status"], p["hba1c"], p["weight_kg"], p["income"]
    she, woman = ("She", "woman") if p["sex"] == "F" else ("He", "man")
    own = [
        pick([f"{she} is {p['age']}.", f"{p['age']}-year-old {woman}.", f"{in_words(p['age']).capitalize()} years old.", f"Age {p['age']}.",
              f"Pt is a {p['age']}yo {p['sex']}.", f"{p['age']}{p['sex']} seen today.", f"{she} is {in_words(p['age'])} now."]),
        pick([f"DOB {born:%d/%m/%Y}.", f"Born {born.day} {MONTHS[born.month - 1]} {born.year}.", f"Born in {born.year}.",
              f"Birthday on {MONTHS[born.month - 1]} {born.day}.", f"Date of birth: {born.isoformat()}.", f"DOB {born:%m/%d/%y}."]),
        pick([f"Admitted {admitted:%d.%m.%Y}.", f"Admitted on {admitted.day} {MONTHS[admitted.month - 1][:3]} {admitted.year}.",
              f"Came in {MONTHS[admitted.month - 1]} {admitted.year}.", f"Admission date {admitted:%m/%d/%Y}.",
              f"Seen on the {admitted.day}th of {MONTHS[admitted.month - 1]}."]),
        pick([f"HbA1c {h} %.", f"HbA1c was {str(h).replace('.', ',')}%.", f"A1c of {h}.", f"HbA1c: {h}."]),
        pick([f"Weighs {w} kg.", f"Weight {w}kg.", f"Weight {str(w).replace('.', ',')} kilos."]),
        pick([f"Household income ${grouped(n, ',')}.", f"Earns {grouped(n, '.')} a year.", f"Income of {grouped(n, ' ')} USD.",
              f"Makes ${n / 1000:g}k.", f"Salary CHF {grouped(n, '’')}.", f"Income {in_words(n)} dollars."]),
        pick([f"Lives in {p['city']}.", f"Lives in {town}.", f"From {town.lower()}.", f"Moved here from {town}, {CODES.get(land, land)}.",
              f"{she} is {PEOPLE[land]}." if land in PEOPLE else f"Grew up in {land}.", f"{town.upper()} resident, ZIP {p['zip']}."]),
        pick([f"{she} is {state.lower()}.", f"Marital status: {state}.", f"{state}, lives with family."]),
        pick([f"Works as a {job.lower()}.", f"{job}.", f"{job}s in the family, and {she.lower()} is a {job.lower()} too.",
              f"Occupation: {job.upper()}."]),
        pick([f"{p['ethnicity']} patient.", f"Ethnicity {p['ethnicity'].lower()}.", f"{she} is {p['ethnicity'].split(' or ')[0]}."]),
        pick([f"Insurance: {p['insurance']}.", f"Covered by {p['insurance']}." if p["insurance"] != "None" else "Insurance none."]),
        pick([f"Mail to ZIP {p['zip']}.", f"Postcode {p['zip']}.", f"Address in {p['zip']}."]),
        pick([f"{p['name']} was seen.", f"{p['name'].split()[1]} tolerated it well.", f"spoke with {p['name'].lower()}."]),
    ]
    return chance.sample(own, 5), chance.sample(CLINICAL, 4)


def spanish(p, chance):
    pick = chance.choice
    town = p["city"].split(", ")[0]
    born, admitted = p["birth_date"], p["admitted"]
    female = p["sex"] == "F"
    own = [
        pick([f"Paciente de {p['age']} años.", f"Tiene {en_palabras(p['age'])} años.", f"Edad: {p['age']}."]),
        pick([f"Nació el {born.day} de {MESES[born.month - 1]} de {born.year}.", f"Fecha de nacimiento {born:%d/%m/%Y}.",
              f"{'Nacida' if female else 'Nacido'} en {born.year}."]),
        pick([f"Ingresó el {admitted:%d-%m-%Y}.", f"Ingreso en {MESES[admitted.month - 1]} de {admitted.year}."]),
        f"HbA1c {str(p['hba1c']).replace('.', ',')} %.", f"Pesa {str(p['weight_kg']).replace('.', ',')} kg.",
        f"Gana {grouped(p['income'], '.')} al año.", pick([f"Vive en {town}.", f"Reside en {p['city']}."]),
        f"Está {CASADO[p['marital_status']][female]}.", f"Código postal {p['zip']}.",
    ]
    return chance.sample(own, 4), chance.sample(CLINICA, 3)


def generate(path, rows=3000, seed=19):
    chance = random.Random(int(seed))
    clinical = []
    with open(path, "w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out)
        writer.writerow(COLUMNS)
        for at in range(int(rows)):
            p = person(chance, at)
            own, said = (spanish if chance.random() < .25 else english)(p, chance)
            sentences = own + said
            chance.shuffle(sentences)
            clinical.append(said)
            writer.writerow([p[name] for name in COLUMNS[:-1]] + [" ".join(sentences)])
    with open(path + ".clinical.json", "w", encoding="utf-8") as out:
        json.dump(clinical, out)


def plain(text):
    text = unicodedata.normalize("NFKD", text.replace("’", "'").replace("\u202f", " ").replace("\xa0", " "))
    return "".join(c for c in text if not unicodedata.combining(c)).lower()


def numbers(text):
    """Every number that figures in a text may say, with where they stand."""
    for match in re.finditer(r"\d+(?:[.,' ]\d+)*", text):
        run = match.group()
        readings = set()
        for piece in [run] + re.split(r" ", run):
            digits = re.split(r"[.,' ]", piece)
            marks = re.findall(r"[.,' ]", piece)
            if not marks:
                readings.add(float(piece))
            elif all(len(part) == 3 for part in digits[1:]) and len(set(marks)) == 1:
                readings.add(float("".join(digits)))
            if marks and marks[-1] in ".," and len(set(marks)) == len(marks):
                readings.add(float("".join(digits[:-1]) + "." + digits[-1]))
        if re.match(r" ?(k\b|mil\b|thousand)", text[match.end():]):
            readings |= {reading * 1000 for reading in readings}
        yield match.start(), match.end(), readings


def ranges(cell):
    match = re.fullmatch(r"\[(-?[\d.]+)(?:-| to )(-?[\d.]+)\]", cell)
    return (float(match[1]), float(match[2])) if match else None


def survivors(row, released):
    """The columns whose value of the row its released note still says."""
    found = []
    note = plain(released["note"])
    # Placeholders say nothing, and what a note has in common with its released cells is released.
    note = re.sub(r"\[[a-z0-9_ ]+\]", " § ", note)
    for name in COLUMNS[3:15]:
        cell = released.get(name, "")
        if span := ranges(cell):
            low, high = span
            said = list(numbers(note))
            for (start, end, first), (start2, end2, second) in zip(said, said[1:]):
                if low in first and high in second and re.fullmatch(r"\s*\$?\s*-?(to|a|-)?-?\s*\$?\s*", note[end:start2]):
                    note = note[:start] + "§" * (end2 - start) + note[end2:]
        if cell.startswith("("):
            members = sorted(plain(member) for member in re.split(r"[;,]" if ";" not in cell else ";", cell[1:-1]))
            for joint in (" or ", " o "):
                note = note.replace(", ".join(members[:-1]) + joint + members[-1], " § ")
        elif not span and cell and not cell[0].isdigit():
            note = re.sub(r"\b" + re.escape(plain(cell)) + r"s?\b", " § ", note)
    values = list(numbers(note))

    def has(*words):
        return any(re.search(r"(?<![a-z0-9])" + re.escape(plain(word)) + r"(?:s|es|r)?(?![a-z0-9])", note) for word in words)

    for name in COLUMNS[1:15]:
        own, cell = row[name], released.get(name, "")
        if own == cell:
            continue
        hit = False
        if name in ("age", "hba1c", "weight_kg", "income"):
            number = float(own)
            hit = any(number in readings for _, _, readings in values)
            if number == int(number):
                hit = hit or has(in_words(int(number)), in_words(int(number)).replace("-", " "))
                hit = hit or (number < 100 and has(en_palabras(int(number))))
        elif name in ("birth_date", "admitted"):
            day = datetime.date.fromisoformat(own)
            d, m, y = day.day, day.month, day.year
            names = [MONTHS[m - 1], MONTHS[m - 1][:3], MESES[m - 1]]
            forms = [own]
            for sign in "/-.":
                for a, b in ((f"{d:02}", f"{m:02}"), (str(d), str(m))):
                    for year in (str(y), f"{y % 100:02}"):
                        forms += [sign.join((a, b, year)), sign.join((b, a, year))]
            for month in names:
                forms += [f"{d} {month}", f"{d} de {month}", f"{month} {d}", f"{d}th of {month}", f"{d}st of {month}"]
                if not cell.startswith(f"{y:04}-{m:02}"):
                    forms += [f"{month} {y}", f"{month} de {y}"]
            if not cell.startswith(f"{y:04}"):
                forms.append(str(y))
            hit = has(*forms)
        elif name == "zip":
            hit = has(own)
        elif name == "name":
            hit = any(has(part) for part in [own] + own.split())
        elif name == "city":
            town, land = own.split(", ")
            alike = cell.startswith("(") and all(member.endswith(land) for member in cell[1:-1].split(";"))
            hit = has(own, town) or (not alike and (has(land) or has(PEOPLE.get(land, "no such word"))))
            hit = hit or (not alike and land in CODES and re.search(r", " + CODES[land] + r"\b", released["note"]) is not None)
        elif name == "marital_status":
            hit = has(own, *CASADO[own])
        elif name == "insurance":
            hit = has("insurance: none", "insurance none") if own == "None" else has(own)
        elif name == "ethnicity":
            hit = has(own, *own.split(" or "))
        elif name == "sex":
            hit = has("woman", "female") if own == "F" else has("man", "male")
            hit = hit or re.search(r"\d ?(yo )?" + own + r"\b", released["note"]) is not None
        else:
            hit = has(own)
        if hit:
            found.append(name)
    return found


def covers(cell, own):
    """Whether a released cell is true of a value."""
    if cell in (own, "*"):
        return True
    if span := ranges(cell):
        return span[0] <= float(own[:4] if own.count("-") == 2 else own) <= span[1]
    if cell.startswith("("):
        return own in re.split(r";" if ";" in cell else r",", cell[1:-1].replace('"', ""))
    return own.startswith(cell.rstrip("*"))


def aligned(rows, released):
    """The original's row of each released one."""
    by_diagnosis = {}
    for at, row in enumerate(rows):
        by_diagnosis.setdefault(row["diagnosis"], []).append(at)
    words = [set(row["note"].split()) for row in rows]
    pairs = []
    for at, new in enumerate(released):
        own = set(new["note"].split())
        for origin in by_diagnosis.get(new["diagnosis"], []):
            if all(covers(new[name], rows[origin][name]) for name in COLUMNS[2:15] if name in new):
                pairs.append((-len(own & words[origin]), at != origin, at, origin))
    origins, used = {}, set()
    for _, _, at, origin in sorted(pairs):
        if at not in origins and origin not in used:
            origins[at] = origin
            used.add(origin)
    assert len(origins) == len(released), "a released row is of no row of the original"
    return [origins[at] for at in range(len(released))]


def search(path, out, show="0"):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    with open(out, newline="", encoding="utf-8") as file:
        released = list(csv.DictReader(file))
    with open(path + ".clinical.json", encoding="utf-8") as file:
        clinical = json.load(file)
    assert len(rows) == len(released), "rows are missing"
    counts, kept, all_words, withheld = {}, 0, 0, 0
    for at, (origin, new) in enumerate(zip(aligned(rows, released), released)):
        row, said = rows[origin], clinical[origin]
        withheld += new["note"] == "[TEXT]"
        note = new["note"]
        # What the notes of all say alike is of nobody: sentences that were made without looking at the row.
        for sentence in said:
            words = re.findall(r"[^\W\d_]+", sentence)
            all_words += len(words)
            if sentence in note:
                kept += len(words)
                note = note.replace(sentence, " ", 1)
            else:
                kept += sum(re.search(r"\b" + re.escape(word) + r"\b", note) is not None for word in words)
        for name in survivors(row, {**new, "note": note}):
            counts[name] = counts.get(name, 0) + 1
            if counts[name] <= int(show):
                print(f"row {at + 1}: {name}: {row[name]} -> {new.get(name)}: {note}")
    share = kept / all_words
    print(json.dumps({"rows": len(rows), "survivors": sum(counts.values()), "by_column": counts, "clinical_words_kept": round(share, 4),
                      "notes_withheld": withheld}))
    return 1 if counts or share < .97 else 0


if __name__ == "__main__":
    sys.exit({"generate": generate, "search": search}[sys.argv[1]](*sys.argv[2:]))
