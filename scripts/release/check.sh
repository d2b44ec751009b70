#!/usr/bin/env bash
# check.sh VERSION
# Whether this commit can be released as VERSION. Writes the image's name, which
# has no capitals whatever the owner's has, to GITHUB_OUTPUT.
set -euo pipefail
shopt -s inherit_errexit
fail() { echo "::error::$*" >&2; exit 1; }

version=$1
number='(0|[1-9][0-9]*)'
[[ $version =~ ^$number\.$number\.$number$ ]] || fail "the version \"$version\" is not of the form 1.2.3"
[[ $GITHUB_REF == refs/heads/main ]] || fail "releases are made from main, not from $GITHUB_REF"
! git rev-parse -q --verify "refs/tags/v$version" >/dev/null || fail "v$version is released already: release another version. To complete a release that stopped after its tags, use «Re-run failed jobs» on its run"
echo "image=${REGISTRY:-ghcr.io}/${GITHUB_REPOSITORY,,}" >>"$GITHUB_OUTPUT"
