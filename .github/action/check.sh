# The step of action.yml that checks and reports: a table in the job's summary, SARIF in a file, and in the log
# annotations, unless the SARIF is uploaded.
#
# OCCUPANCY: the program. PATHS, ARGUMENTS: one a line. DEVICES: between commas. FAIL_ON, UPLOAD: as in action.yml.
set -euo pipefail

reports=$(mktemp -d "$RUNNER_TEMP/occupancy.XXXXXX")
options=(--fail-on "$FAIL_ON" --output "sarif:$reports/occupancy.sarif" --output "markdown:$reports/summary.md")
[ "$UPLOAD" = true ] || options+=(--format github)
[ -z "$DEVICES" ] || options+=(--devices "$DEVICES")
while IFS= read -r argument; do
    [ -z "$argument" ] || options+=("$argument")
done <<< "$ARGUMENTS"
options+=(--)
while IFS= read -r path; do
    [ -z "$path" ] || options+=("$path")
done <<< "$PATHS"

status=0
"$OCCUPANCY" check "${options[@]}" || status=$?
if [ -e "$reports/summary.md" ]; then
    cat "$reports/summary.md" >> "$GITHUB_STEP_SUMMARY"
fi
if [ -e "$reports/occupancy.sarif" ]; then
    echo "sarif=$reports/occupancy.sarif" >> "$GITHUB_OUTPUT"
fi
echo "status=$status" >> "$GITHUB_OUTPUT"
exit "$status"
