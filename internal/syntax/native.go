package syntax

// #include <stdlib.h>
// #include "native.h"
import "C"

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"
	"unsafe"

	_ "github.com/tree-sitter/go-tree-sitter" // links tree-sitter's C library
)

const (
	// stepsBase and bytesPerStep bound the parser's work: it reports in every hundred operations,
	// and a source of n bytes may have stepsBase + n/bytesPerStep such reports. Ordinary code needs
	// one in 50 to 300 bytes. A bound in steps gives the same answer on a slow machine as on a fast
	// one.
	stepsBase    = 1_000
	bytesPerStep = 16
	// timeBase and timePerByte bound the parser's processor time, since a step in a source full of
	// errors can cost a hundred times that of an ordinary one. Ordinary code needs a tenth.
	timeBase    = 200 * time.Millisecond
	timePerByte = 4 * time.Microsecond
	// maxNodes bounds a tree; MaxSource of ordinary code has about 400,000, of minified code
	// 750,000.
	maxNodes = 800_000
)

// The node of the C code is the node of a Tree.
var _ [unsafe.Sizeof(node{})]byte = [C.sizeof_native_node]byte{}

// The Go module of tree-sitter has it call Go for each allocation.
func init() { C.native_init() }

// parseNative parses a source that acceptable let through, in this process. The
// parser reads shown, which is src or as long as it.
func parseNative(ctx context.Context, lang Language, src, shown []byte) (*Tree, error) {
	grammar := grammars[lang]()
	var stop atomic.Int32
	defer context.AfterFunc(ctx, func() { stop.Store(1) })()
	limits := C.native_limits{
		steps: C.uint64_t(stepsBase + len(src)/bytesPerStep),
		nanos: C.int64_t(timeBase + time.Duration(len(src))*timePerByte),
	}
	var count C.uint32_t
	text := (*C.char)(unsafe.Pointer(unsafe.SliceData(shown)))
	parsed := C.native_parse(
		grammar,
		text,
		C.uint32_t(len(src)),
		limits,
		(*C.int32_t)(unsafe.Pointer(&stop)),
		&count,
	)
	switch {
	case parsed == nil && ctx.Err() != nil:
		return nil, ctx.Err()
	case parsed == nil:
		return nil, ErrTooComplex
	}
	defer C.ts_tree_delete(parsed)
	if count > maxNodes {
		return nil, fmt.Errorf(
			"%w: its tree has %d nodes, at most %d are read",
			ErrTooLarge,
			count,
			maxNodes,
		)
	}
	nodes := make([]node, count)
	if C.native_list(
		parsed,
		C.uint32_t(len(src)),
		(*C.native_node)(unsafe.Pointer(unsafe.SliceData(nodes))),
		count,
	) != count {
		return nil, ErrTooComplex // the library miscounted
	}
	t := newTree(lang, src, nodes)
	t.name(
		func(kind uint16) string {
			return C.GoString(C.ts_language_symbol_name((*C.TSLanguage)(grammar), C.uint16_t(kind)))
		},
		func(field uint16) string {
			return C.GoString(
				C.ts_language_field_name_for_id((*C.TSLanguage)(grammar), C.uint16_t(field)),
			)
		},
	)
	return t, nil
}
