// What is used of tree-sitter's C library, as its tree_sitter/api.h declares
// it. The library itself is compiled and linked by the Go module
// go-tree-sitter, whose own binding crosses from C to Go and back for each
// node, each allocation and each piece of source.
#ifndef TREESITTER_H
#define TREESITTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct TSLanguage TSLanguage;
typedef struct TSParser TSParser;
typedef struct TSTree TSTree;

typedef struct {
	uint32_t row, column;
} TSPoint;

typedef struct {
	void *payload;
	const char *(*read)(void *payload, uint32_t byte_index, TSPoint position, uint32_t *bytes_read);
	int encoding; // 0 is UTF-8
	uint32_t (*decode)(const uint8_t *string, uint32_t length, int32_t *code_point);
} TSInput;

typedef struct {
	void *payload;
	uint32_t current_byte_offset;
	bool has_error;
} TSParseState;

typedef struct {
	void *payload;
	bool (*progress_callback)(TSParseState *state);
} TSParseOptions;

typedef struct {
	uint32_t context[4];
	const void *id;
	const TSTree *tree;
} TSNode;

typedef struct {
	const void *tree;
	const void *id;
	uint32_t context[3];
} TSTreeCursor;

void ts_set_allocator(void *(*new_malloc)(size_t), void *(*new_calloc)(size_t, size_t),
	void *(*new_realloc)(void *, size_t), void (*new_free)(void *));

TSParser *ts_parser_new(void);
void ts_parser_delete(TSParser *self);
bool ts_parser_set_language(TSParser *self, const TSLanguage *language);
TSTree *ts_parser_parse_with_options(TSParser *self, const TSTree *old_tree, TSInput input, TSParseOptions options);

void ts_tree_delete(TSTree *self);
TSNode ts_tree_root_node(const TSTree *self);

uint32_t ts_node_start_byte(TSNode self);
uint32_t ts_node_end_byte(TSNode self);
uint16_t ts_node_symbol(TSNode self);
uint32_t ts_node_descendant_count(TSNode self);
bool ts_node_is_named(TSNode self);
bool ts_node_is_missing(TSNode self);
bool ts_node_has_error(TSNode self);

TSTreeCursor ts_tree_cursor_new(TSNode node);
void ts_tree_cursor_delete(TSTreeCursor *self);
TSNode ts_tree_cursor_current_node(const TSTreeCursor *self);
uint16_t ts_tree_cursor_current_field_id(const TSTreeCursor *self);
bool ts_tree_cursor_goto_parent(TSTreeCursor *self);
bool ts_tree_cursor_goto_next_sibling(TSTreeCursor *self);
bool ts_tree_cursor_goto_first_child(TSTreeCursor *self);

const char *ts_language_symbol_name(const TSLanguage *self, uint16_t symbol);
const char *ts_language_field_name_for_id(const TSLanguage *self, uint16_t id);

#endif
