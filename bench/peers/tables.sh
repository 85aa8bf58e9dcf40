#!/usr/bin/env bash
# k-anonymity of Adult beside anonypy and anjana, in one run. Builds `reticent` unless RETICENT names it.
set -euo pipefail
cd "$(dirname "$0")/../.."
data=../shared/data/rx/adult.csv
[ -f "$data" ] || { echo "../shared/data is not here: nothing to compare on" >&2; exit 2; }
if [ -z "${RETICENT:-}" ]; then
  cargo build --release --quiet -p reticent-cli
  RETICENT=target/release/reticent
fi
venv=target/peers-tables
[ -d "$venv" ] || python3 -m venv "$venv"
"$venv/bin/pip" install --quiet -r bench/peers/tables.requirements.txt
exec "$venv/bin/python" bench/peers/tables.py "$RETICENT" "$data" "$venv" "${KS:-2,5,10,25}"
