#!/bin/sh
# Gate a candidate in any shell, Jenkins, GitLab or cron:  sh gate.sh candidate.run [gate.toml]
# Leaves gate.md (to read), gate.json (to keep) and gate.xml (JUnit); exits as the gate does.
set -u
candidate=${1:?"usage: sh gate.sh candidate.run [gate.toml]"}
config=${2:-"$(dirname "$0")/gate.toml"}

ranklens gate --config "$config" --candidate "$candidate" --format md --out gate.md
outcome=$?
for format in json junit; do
    case $format in junit) file=gate.xml ;; *) file=gate.json ;; esac
    ranklens gate --config "$config" --candidate "$candidate" --format "$format" --out "$file" 2>/dev/null
done

cat gate.md
case $outcome in
    0) echo "gate: passed" ;;
    1) echo "gate: failed" ;;
    2) echo "gate: not comparable, mend the input" ;;
    3) echo "gate: not enough evidence" ;;
esac
exit "$outcome"
