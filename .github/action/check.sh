# The step of action.yml that checks and reports: a table in the job's summary, SARIF in a file, and in the log
# annotations, unless the SARIF is uploaded.
#
# OCCUPANCY: the program. PATHS, ARGUMENTS: one a line. DEVICES: between commas. FAIL_ON, UPLOAD: as in action.yml.
set -euo pipefail

reports=$(mktemp -d "$RUNNER_TEMP/occupancy.XXXXXX")
options=(--fail-on "$FAIL_ON" --output "sarif:$reports/occupancy.sarif" --output "markdown:$reports/summary.md")
format=text
if [ "$UPLOAD" != true ]; then
    format=github
    options+=(--format github)
fi
[ -z "$DEVICES" ] || options+=(--devices "$DEVICES")
before=
while IFS= read -r argument; do
    [ -n "$argument" ] || continue
    options+=("$argument")
    case $argument in --fo*=*) format=${argument#*=} ;; esac # options may be abbreviated
    case $before in --fo*=*) ;; --fo*) format=$argument ;; esac
    before=$argument
done <<< "$ARGUMENTS"
options+=(--)
while IFS= read -r path; do
    [ -z "$path" ] || options+=("$path")
done <<< "$PATHS"

# What is printed may begin with the name of a file, which must not be taken for a command to the runner.
token=
if [ "$format" != github ]; then
    token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
    echo "::stop-commands::$token"
fi
status=0
"$OCCUPANCY" check "${options[@]}" || status=$?
[ -z "$token" ] || echo "::$token::"
if [ -e "$reports/summary.md" ]; then
    cat "$reports/summary.md" >> "$GITHUB_STEP_SUMMARY"
fi
if [ -e "$reports/occupancy.sarif" ]; then
    echo "sarif=$reports/occupancy.sarif" >> "$GITHUB_OUTPUT"
fi
echo "status=$status" >> "$GITHUB_OUTPUT"
exit "$status"
