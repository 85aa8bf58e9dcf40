#!/usr/bin/env bash
# Tables 4 to 6 and Figures 2 to 5 of the rx-anon paper: its example exactly, the rest in form, on a generated table of the
# Blog corpus's shape and on ../shared/data/rx. Builds `reticent` unless RETICENT names it. PERSONS and POSTS make the
# generated table smaller, for a look.
set -euo pipefail
cd "$(dirname "$0")/../.."
here=reproduce/tables
data=../shared/data/rx
[ -d "$data" ] || { echo "../shared/data is not here: nothing to reproduce from" >&2; exit 2; }
if [ -z "${RETICENT:-}" ]; then
  cargo build --release --quiet -p reticent-cli
  RETICENT=target/release/reticent
fi
work=target/reproduce-tables
mkdir -p "$work"

echo "Table 4 (k = 2)"
"$RETICENT" table protect "$data/paper-example.csv" -s "$here/paper.toml" --k 2 --wording paper --no-taxonomy --keep-order -o -

echo
echo "Tables 5 and 6, Figures 2 to 5: the generated blogs"
[ -f "$work/blogs.csv" ] || python3 "$here/blogs.py" "$work/blogs.csv" "${PERSONS:-19319}" "${POSTS:-681260}"
time "$RETICENT" table sweep "$work/blogs.csv" -s "$here/blogs.toml" --k 2,3,4,5,10,20,50 --lambda 0..1 --gdf --no-taxonomy \
  -o "$work/blogs.html"
sed -n '/<pre>/,/<\/pre>/p' "$work/blogs.html" | sed 's/<[^>]*>//g'

echo "The same: 40 persons who write of themselves"
[ -f "$work/posts.toml" ] || "$RETICENT" table schema "$data/personal-posts.csv" -o "$work/posts.toml"
"$RETICENT" table sweep "$data/personal-posts.csv" -s "$work/posts.toml" --k 2,3,5,10 --lambda 0..1 --gdf -o "$work/posts.html"
sed -n '/<pre>/,/<\/pre>/p' "$work/posts.html" | sed 's/<[^>]*>//g'
echo "plots: $work/blogs.html, $work/posts.html"
