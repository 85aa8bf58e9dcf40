#!/usr/bin/env bash
# Packs WordNet 3.0 from Debian's wordnet-base into crates/reticent-knowledge/data. The same bytes each time.
# Needs apt-get and dpkg (no root), and `reticent` built: RETICENT names it, else cargo runs it.
set -euo pipefail
cd "$(dirname "$0")/../.."
reticent=${RETICENT:-cargo run --release --quiet --bin reticent --}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$work" && apt-get download wordnet-base=1:3.0-37 >/dev/null 2>&1 && dpkg -x wordnet-base_*.deb .) ||
    { echo "cannot get wordnet-base 1:3.0-37 from Debian" >&2; exit 1; }
$reticent taxonomy import wordnet "$work/usr/share/wordnet" --name "wordnet 3.0" \
    -o crates/reticent-knowledge/data/wordnet.taxonomy
