#!/bin/sh
# Prepares the parsers for the image: copies their modules into
# .cache/grammars, takes the parse tables out of the C sources, and puts them
# beside the bindings, compressed; a binding unpacks its tables when its
# language is first used. The tables are numbers with much repetition: 13 MB
# become 0.8 MB, and the program that is built with
#
#	go build -modfile=.cache/grammars/go.mod
#
# is that much smaller. Nothing else about it changes, and builds without that
# flag take the modules as they are. Needs go, a C compiler, awk and gzip.
set -eu
cd "$(dirname "$0")/.."

out=.cache/grammars
tables='ts_parse_table ts_small_parse_table ts_small_parse_table_map ts_parse_actions ts_lex_modes ts_primary_state_ids'
modules=$(sed -n 's|^	\(github.com/tree-sitter/tree-sitter-[^ ]*\) v[^ ]*$|\1|p' go.mod)
[ -n "$modules" ] || { echo "pack-grammars: go.mod names no grammar" >&2; exit 1; }

# What a finished run depended on; go.mod and go.sum are copied anew each time.
state=$( (cat "$0"; for m in $modules; do grep -F "	$m " go.mod; done) | cksum)
if [ "$(cat $out/state 2>/dev/null)" != "$state" ]; then
	rm -rf $out
fi
mkdir -p $out

# pack DIR NAME: the parser of NAME in DIR/parser.c.
pack() {
	dir=$1 name=$2
	cat >"$dir/dump.c" <<'TEXT'
#include <stdio.h>
#include "parser.c"
#define DUMP(t) fwrite(t, sizeof t, 1, stdout), fprintf(stderr, "%s %zu\n", #t, sizeof t / sizeof *t);
TEXT
	echo "int main(void) { $(printf 'DUMP(%s) ' $tables) return 0; }" >>"$dir/dump.c"
	# The scanner's functions are named in the language, and not called.
	cc -O0 -w -I "$dir" -Wl,--unresolved-symbols=ignore-all -o "$dir/dump" "$dir/dump.c"
	"$dir/dump" 2>"$dir/lengths" | gzip -9n >"$bindings/$name.tables.gz"

	# The initial value of each table goes, its length stays.
	awk 'NR == FNR { length_of[$1] = $2; next }
		/^static const / && / = \{$/ {
			table = $4; sub(/\[.*/, "", table)
			if (table in length_of) {
				line = $0
				sub(/^static const /, "static ", line); sub(/ = \{$/, ";", line)
				sub(/\[\]/, "[" length_of[table] "]", line)
				print line; skip = 1; cut++; next
			}
		}
		skip { if (/^};$/) skip = 0; next }
		{ print }
		END { if (cut != '"$(echo "$tables" | wc -w)"') exit 1 }
	' "$dir/lengths" "$dir/parser.c" >"$dir/cut.c" || { echo "pack-grammars: $name is written in another way than expected" >&2; exit 1; }
	{
		cat "$dir/cut.c"
		echo "const struct { void *at; unsigned long size; } ${name}_tables[] = {"
		for t in $tables; do printf '	{%s, sizeof %s},\n' "$t" "$t"; done
		echo "};"
	} >"$dir/parser.c"
	rm "$dir/dump.c" "$dir/dump" "$dir/lengths" "$dir/cut.c"
}

# unpacker PACKAGE NAME prints the Go file that fills the tables.
unpacker() {
	cat <<TEXT
package $1

// struct table { void *at; unsigned long size; };
// extern const struct table ${2}_tables[];
import "C"

import (
	"compress/gzip"
	_ "embed"
	"io"
	"strings"
	"sync"
	"unsafe"
)

//go:embed $2.tables.gz
var ${2}_packed string

var ${2}_unpack = sync.OnceFunc(func() {
	in, err := gzip.NewReader(strings.NewReader(${2}_packed))
	tables := unsafe.Slice((*C.struct_table)(unsafe.Pointer(&C.${2}_tables)), $(echo "$tables" | wc -w))
	for i := 0; err == nil && i < len(tables); i++ {
		_, err = io.ReadFull(in, unsafe.Slice((*byte)(tables[i].at), tables[i].size))
	}
	if err != nil {
		panic("unpack $2: " + err.Error())
	}
})
TEXT
}

# module PATH: one module with its parsers.
module() {
	source=$(go list -m -f '{{.Dir}}' "$1")
	copy=$out/${1##*/} bindings=$out/${1##*/}/bindings/go
	rm -rf "$copy"
	mkdir -p "$bindings"
	cp "$source/go.mod" "$copy"
	cp "$source"/bindings/go/*.go "$bindings"
	rm -f "$bindings"/*_test.go
	(cd "$source" && find . -path '*/src/*' \( -name '*.c' -o -name '*.h' \) -o -path './common/*' -name '*.h') | while read -r f; do
		mkdir -p "$copy/$(dirname "$f")"
		cp "$source/$f" "$copy/$f"
	done
	chmod -R u+w "$copy"
	# Headers beside what includes them need no -I, which the go command makes
	# absolute, so that each folder would compile the largest grammars anew.
	if [ -d "$copy/common" ]; then
		cp -R "$(find "$copy" -path '*/src/tree_sitter' | sort | head -n 1)" "$copy/common/"
		sed -i.orig '/^\/\/ #cgo CPPFLAGS: -I/d' "$bindings"/*.go
		rm -f "$bindings"/*.orig
	fi
	for go in "$bindings"/*.go; do
		name=$(sed -n 's/.*C\.\(tree_sitter_[a-z_]*\)().*/\1/p' "$go")
		dir=$(sed -n 's|^// #include "\(.*\)/parser.c"|\1|p' "$go")
		pack "$bindings/$dir" "$name"
		unpacker "$(sed -n 's/^package //p' "$go")" "$name" >"$bindings/$name.go"
		sed "s/^\(	*\)return unsafe.Pointer(C.$name())/\1${name}_unpack()\n&/" "$go" >"$go.new"
		grep -q "${name}_unpack()" "$go.new" || { echo "pack-grammars: the binding of $name is written in another way than expected" >&2; exit 1; }
		mv "$go.new" "$go"
	done
}

if [ ! -f $out/state ]; then
	for m in $modules; do module "$m"; done
fi
cp go.mod go.sum $out/
for m in $modules; do echo "replace $m => ./$out/${m##*/}" >>$out/go.mod; done
echo "$state" >$out/state
