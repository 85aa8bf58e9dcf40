"""Makes tables of a child and its parent from GeoNames' cities, regions and countries: see places.sh."""

import csv
import json
import sys
from pathlib import Path

SMALLEST = 15_000
CONTINENTS = {
    "AF": "Africa",
    "AN": "Antarctica",
    "AS": "Asia",
    "EU": "Europe",
    "NA": "North America",
    "OC": "Oceania",
    "SA": "South America",
}
# Countries that English gives an article.
ARTICLE = set("AE BS CD CF CK DO FK FO GB GM KM KY MH MP NL PH SB SC TC TF US VA VG VI".split())
# Names that GeoNames files otherwise than English texts do.
ALSO = {
    "US": "USA|US|U.S.|U.S.A.|United States of America|America",
    "GB": "UK|U.K.|Great Britain|Britain",
    "RU": "Russian Federation",
    "KR": "Korea|Republic of Korea",
    "CN": "People's Republic of China|PRC",
    "CZ": "Czech Republic",
    "NL": "Holland",
    "AE": "UAE",
    "CD": "Democratic Republic of the Congo|DRC",
    "CG": "Congo",
    "MM": "Burma",
    "CI": "Côte d'Ivoire",
    "VA": "Vatican City",
    "TR": "Türkiye",
}
# One name for what several English ones mean.
LABEL = {"CD": "Democratic Republic of the Congo", "CZ": "Czech Republic", "VA": "Vatican"}
# What English texts call cities that GeoNames calls otherwise.
EXONYM = {
    ("US", "New York City"): "New York|NYC",
    ("US", "Washington"): "Washington, D.C.|Washington DC",
    ("DE", "Köln"): "Cologne",
    ("DE", "Nürnberg"): "Nuremberg",
    ("DE", "Hannover"): "Hanover",
    ("ES", "Sevilla"): "Seville",
    ("ES", "Zaragoza"): "Saragossa",
    ("ES", "Córdoba"): "Cordova",
    ("CH", "Genève"): "Geneva",
    ("CH", "Bern"): "Berne",
    ("CH", "Basel"): "Basle",
    ("UA", "Kyiv"): "Kiev",
    ("UA", "Odesa"): "Odessa",
    ("UA", "Lviv"): "Lvov",
    ("UA", "Kharkiv"): "Kharkov",
    ("RU", "Saint Petersburg"): "Leningrad",
    ("IN", "Mumbai"): "Bombay",
    ("IN", "Kolkata"): "Calcutta",
    ("IN", "Chennai"): "Madras",
    ("IN", "Bengaluru"): "Bangalore",
    ("VN", "Ho Chi Minh City"): "Saigon",
    ("CN", "Beijing"): "Peking",
    ("CN", "Guangzhou"): "Canton",
    ("BE", "Antwerpen"): "Antwerp",
    ("BE", "Gent"): "Ghent",
    ("BE", "Brugge"): "Bruges",
    ("PT", "Porto"): "Oporto",
    ("GR", "Thessaloníki"): "Salonica",
    ("TR", "İzmir"): "Smyrna",
    ("MM", "Yangon"): "Rangoon",
    ("PL", "Kraków"): "Cracow",
    ("RO", "Bucharest"): "Bucuresti",
}


def main(data, admin1, nationalities, out):
    data, out = Path(data), Path(out)
    countries = json.loads((data / "countries.json").read_text("utf-8"))
    cities = json.loads((data / "cities15000.json").read_text("utf-8"))
    regions = {row["code"]: row["name"] for row in json.loads(Path(admin1).read_text("utf-8"))}

    with (out / "places.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["child", "parent", "label", "synonyms", "gloss", "count"])
        table.writerow(["world", "", "place", "", "any place on earth", ""])
        for code, name in CONTINENTS.items():
            also = {"NA": "Northern America", "OC": "Australasia"}.get(code, "")
            table.writerow([f"continent {code}", "world", name, also, "continent", ""])
        inside = {}
        for city in cities.values():
            inside[city["countrycode"]] = inside.get(city["countrycode"], 0) + city["population"]
        for code, country in sorted(countries.items()):
            name = LABEL.get(code, country["name"])
            name = name.removeprefix("The ")
            article = code in ARTICLE
            label = f"the {name}" if article else name
            also = [name] if article else []
            also += ALSO.get(code, "").split("|")
            continent = country["continentcode"]
            # Inhabitants outside of the cities that have rows of their own.
            rest = max(country["population"] - inside.get(code, 0), 0)
            parent = f"continent {continent}"
            gloss = f"country in {CONTINENTS[continent]}"
            table.writerow([code, parent, label, "|".join(filter(None, also)), gloss, rest])
        used = set()
        for code, name in sorted(regions.items()):
            country = code.split(".")[0]
            if country in countries:
                used.add(code)
                gloss = f"region of {countries[country]['name']}"
                table.writerow([code, country, name, "", gloss, ""])
        for city in sorted(cities.values(), key=lambda city: city["geonameid"]):
            if city["population"] < SMALLEST or city["countrycode"] not in countries:
                continue
            code = f"{city['countrycode']}.{city['admin1code']}"
            parent = code if code in used else city["countrycode"]
            name = city["name"]
            also = EXONYM.get((city["countrycode"], name), "")
            if name.startswith("Saint "):
                also = "|".join(filter(None, [also, "St. " + name.removeprefix("Saint ")]))
            table.writerow([city["geonameid"], parent, name, also, "", city["population"]])

    with (
        Path(nationalities).open(encoding="utf-8", newline="") as source,
        (out / "nationalities.csv").open("w", encoding="utf-8", newline="") as file,
    ):
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["child", "parent", "label", "synonyms", "count"])
        rows = list(csv.DictReader(source))
        for row in rows:
            people = countries.get(row["country"], {}).get("population", 0)
            table.writerow([row["label"], row["parent"], row["label"], row["synonyms"], people])


if __name__ == "__main__":
    main(*sys.argv[1:])
