#!/usr/bin/env bash
# Draws docs/images/breach.svg, the picture in the README, from the comment that the tests of internal/report keep.
set -euo pipefail
cd "$(dirname "$0")/.."
exec go test ./internal/docstest -run '^TestPicture$' -count=1 -update
