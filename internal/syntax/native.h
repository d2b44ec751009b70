// Parsing a source and listing the nodes of its tree, in one call from Go each.
#ifndef NATIVE_H
#define NATIVE_H

#include "treesitter.h"

// native_node is a node of the flat tree: node in tree.go.
typedef struct {
	uint32_t start, end; // bytes
	uint32_t parent;     // index
	uint32_t past;       // index after the last descendant
	uint16_t kind, field;
	uint8_t flags;
} native_node;

enum { native_named = 1, native_missing = 2, native_broken = 4 };

// native_limits end the work of a parser.
typedef struct {
	uint64_t steps; // reports of progress
	int64_t nanos;  // of the thread's processor time
} native_limits;

// native_init lets tree-sitter use the C allocator.
void native_init(void);

// native_parse parses a source. It returns NULL if a limit was reached, or
// once *stop is not 0. It sets *nodes to the number of the tree's nodes.
TSTree *native_parse(const void *language, const char *source, uint32_t length, native_limits limits, int32_t *stop, uint32_t *nodes);

// native_list writes the nodes of the tree of a source of that length, in the
// order of their starts, each before its descendants, and returns their number,
// 0 if there are more than there is room for.
uint32_t native_list(const TSTree *tree, uint32_t length, native_node *out, uint32_t room);

#endif
