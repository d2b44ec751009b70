#!/bin/sh
# Builds the program as the image carries it: static, stripped, with packed
# grammars, and the same bytes from the same sources wherever they lie.
#
#	build-static.sh OUTPUT [VERSION [COMMIT]]
#	build-static.sh --parsers
#
# The second form only compiles the parsers into go's cache, which is most of
# the work and depends on go.mod alone.
set -eu
cd "$(dirname "$0")/.."

scripts/pack-grammars.sh
grammars=.cache/grammars

build() {
	CGO_ENABLED=1 GOFLAGS= go build -modfile=$grammars/go.mod -trimpath -buildvcs=false -tags 'netgo osusergo' "$@"
}

if [ "$1" = --parsers ]; then
	build github.com/tree-sitter/go-tree-sitter $(sed -n 's|^replace \([^ ]*\) => .*|\1/bindings/go|p' $grammars/go.mod)
	exit
fi
build -ldflags "-s -w -buildid= -X main.version=${2:-dev} -X main.commit=${3:-} -linkmode external -extldflags '-static -Wl,--build-id=none'" \
	-o "$1" ./cmd/action
