#!/bin/sh
# Builds the program as the image carries it: static, stripped, small, and the
# same bytes from the same sources wherever they lie.
#
#	build-static.sh OUTPUT [VERSION [COMMIT [OWNER/NAME]]]
#	build-static.sh --parsers          only compile the parsers into go's cache,
#	                                   which depends on go.mod alone
#	build-static.sh --test PACKAGE...  test packages built in this way
#
# What makes it small: packed grammars; no C that nothing calls, each function
# and table being a section that the linker can leave out, and no tables for
# unwinding C, which only a debugger reads; no HTTP/2, which neither GitHub's API
# nor the model's asks for. Go is compiled as the tests compile it.
set -eu
cd "$(dirname "$0")/.."

scripts/pack-grammars.sh
mod=.cache/grammars/go.mod
cflags='-O2 -ffunction-sections -fdata-sections -fno-unwind-tables -fno-asynchronous-unwind-tables'

with_go() {
	command=$1
	shift
	CGO_ENABLED=1 CGO_CFLAGS="$cflags" GOFLAGS='' go "$command" -modfile=$mod -trimpath -buildvcs=false \
		-tags 'netgo osusergo nethttpomithttp2' "$@"
}

case $1 in
--parsers)
	# shellcheck disable=SC2046 # packages
	with_go build github.com/tree-sitter/go-tree-sitter $(sed -n 's|^replace \([^ ]*\) => .*|\1/bindings/go|p' $mod)
	;;
--test)
	shift
	with_go test "$@"
	;;
*)
	with_go build -ldflags "-s -w -buildid= -X main.version=${2:-dev} -X main.commit=${3:-} -X main.repository=${4:-OWNER/workflow-reviewer} \
		-linkmode external -extldflags '-static -Wl,--build-id=none,--gc-sections'" -o "$1" ./cmd/action
	;;
esac
