#!/bin/sh
# Runs the checks in Tests/Judges, programs that share no code with archtool.
#
# usage: review.sh ARCHTOOL SIZE SEED [OPTIMIZED [ARGUMENT OF hostile_shapes.py...]]
#
# FAMILIES is the number of random families for families.py, by default 5,000 at the default size of `make review`, and
# MUTANTS that of changed files for mutants.py, by default 20,000, GENERATED that of families for generated_code.py.
# OPTIMIZED is the program for hostile_shapes.py, which has bounds on processor time; by default ARCHTOOL.
# All of them run, regardless of earlier findings. Ends with status 1 if one of them found something.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
program=$1
size=$2
seed=$3
shift 3
optimized=${1:-$program}
[ $# -eq 0 ] || shift
status=0
judge() {
  script=$1
  shift
  echo "review: $script"
  PYTHONDONTWRITEBYTECODE=1 python3 "$root/Tests/Judges/$script.py" "$program" "$@" || status=1
}
judge binary_values "$size" "$seed"
judge keyed_archive_decoder "$size" "$seed" "$root/TestArchives"
judge object_graphs "$size" "$seed"
judge searches "$size" "$seed"
judge returns
judge families "${FAMILIES:-$((size * 50 / 3))}" "$seed"
judge generated_code "${GENERATED:-$size}" "$seed"
judge edits "$size" "$seed"
judge mutants "${MUTANTS:-$((size * 200 / 3))}" "$seed"
judge merges "$size" "$seed"
judge graph_differences "$size" "$seed"
judge tampered_records "$size" "$seed"
judge failing_calls "$size" "$seed"
judge databases "$size" "$seed"
if python3 -c 'import cryptography' 2>/dev/null; then
  judge backups
  judge case_folder "$size" "$seed" 30
else
  echo "review: backups need the Python package cryptography" >&2
fi
program=$optimized
judge hostile_shapes "$@"
exit "$status"
