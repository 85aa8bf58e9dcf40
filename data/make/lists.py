"""Makes lists of Spanish names and places from Faker and GeoNames: see lists.sh."""

import json
import sys
from pathlib import Path

from faker.providers.address.es import Provider as Countries
from faker.providers.address.es_ES import Provider as Spain
from faker.providers.person.es_ES import Provider as People

SPANISH_SPEAKING = set("AR BO CL CO CR CU DO EC GQ GT HN MX NI PA PE PR PY SV UY VE".split())
# Regions as they call themselves, which Faker does not have.
OWN_NAMES = """A Coruña, Alacant, Araba, Bizkaia, Castelló, Catalunya, Euskadi, Galiza, Gipuzkoa, Illes Balears, Nafarroa,
València, Tenerife, Gran Canaria, Lanzarote, Fuerteventura, Mallorca, Menorca, Ibiza""".replace("\n", " ").split(", ")
LETTERS = set("abcdefghijklmnñopqrstuvwxyzáéíóúüçàèòïâêôãõ'’·-/ ")


def words(name):
    return set(name.lower()) <= LETTERS and 2 < len(name) < 40


def write(folder, name, entries):
    entries = sorted({entry.strip() for entry in entries if words(entry)})
    (folder / name).write_text("\n".join(entries) + "\n", encoding="utf8")
    print(name, len(entries))


def halves(names):
    """Names in two languages, such as "Araba/Álava", are both."""
    return [half for name in names for half in name.split("/")]


def towns(cities):
    for city in cities:
        least = 0 if city["countrycode"] == "ES" else 50_000 if city["countrycode"] in SPANISH_SPEAKING else 100_000
        if city["population"] >= least:
            yield city["name"]


def main():
    folder, cities = Path(sys.argv[1]), json.loads(Path(sys.argv[2]).read_text(encoding="utf8"))
    folder.mkdir(parents=True, exist_ok=True)
    write(folder, "first-names.txt", People.first_names)
    write(folder, "last-names.txt", People.last_names)
    write(folder, "regions.txt", halves(Spain.states + Spain.regions) + OWN_NAMES)
    write(folder, "countries.txt", [*Countries.countries, "España", "Estados Unidos", "EEUU", "Inglaterra"])
    write(folder, "towns.txt", towns(cities.values()))


if __name__ == "__main__":
    main()
