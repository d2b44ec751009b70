#!/usr/bin/env bash
# vulncheck.sh GOVULNCHECK
# Looks for known vulnerabilities in what the program calls. Where the database
# cannot be reached it says so and passes, but on GitHub it fails: there it is
# reachable, and a check that did not run is not green.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

said=$("$1" ./cmd/action 2>&1) && status=0 || status=$?
echo "$said"
if ((status == 1)) && [[ $said == *"fetching vulnerabilities: "*"dial tcp"* && ${GITHUB_ACTIONS:-} != true ]]; then
	echo "vulncheck: the vulnerability database cannot be reached; NOTHING WAS CHECKED" >&2
	exit 0
fi
exit "$status"
