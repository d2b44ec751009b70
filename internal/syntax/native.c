#include "native.h"

#include <time.h>

void native_init(void) { ts_set_allocator(NULL, NULL, NULL, NULL); }

typedef struct {
	const char *source;
	uint32_t length;
	native_limits limits;
	int64_t started;
	int32_t *stop;
} work;

static int64_t thread_nanos(void) {
	struct timespec now;
	if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0) return 0;
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

// read_source ends a source without a line end with one, for the grammars that
// ask for it after a directive or comment.
static const char *read_source(void *payload, uint32_t at, TSPoint position, uint32_t *length) {
	(void)position;
	const work *w = payload;
	if (at < w->length) {
		*length = w->length - at;
		return w->source + at;
	}
	*length = at == w->length && at > 0 && w->source[at - 1] != '\n';
	return "\n";
}

// progress is called after every hundred operations; true ends the parser.
static bool progress(TSParseState *state) {
	work *w = state->payload;
	if (w->limits.steps-- == 0 || __atomic_load_n(w->stop, __ATOMIC_RELAXED) != 0) return true;
	return thread_nanos() - w->started > w->limits.nanos;
}

TSTree *native_parse(const void *language, const char *source, uint32_t length, native_limits limits, int32_t *stop, uint32_t *nodes) {
	TSParser *parser = ts_parser_new();
	if (!ts_parser_set_language(parser, language)) {
		ts_parser_delete(parser);
		return NULL;
	}
	work w = {source, length, limits, thread_nanos(), stop};
	TSInput input = {&w, read_source, 0, NULL};
	TSParseOptions options = {&w, progress};
	TSTree *tree = ts_parser_parse_with_options(parser, NULL, input, options);
	ts_parser_delete(parser);
	if (tree != NULL) *nodes = ts_node_descendant_count(ts_tree_root_node(tree));
	return tree;
}

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

static void set_node(native_node *out, TSTreeCursor *cursor, uint32_t parent, uint32_t length) {
	TSNode node = ts_tree_cursor_current_node(cursor);
	out->start = least(ts_node_start_byte(node), length);
	out->end = least(ts_node_end_byte(node), length);
	out->parent = parent;
	out->kind = ts_node_symbol(node);
	out->field = ts_tree_cursor_current_field_id(cursor);
	out->flags = (ts_node_is_named(node) ? native_named : 0) | (ts_node_is_missing(node) ? native_missing | native_broken : 0) |
		(ts_node_has_error(node) ? native_broken : 0);
}

uint32_t native_list(const TSTree *tree, uint32_t length, native_node *out, uint32_t room) {
	TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree));
	uint32_t count = 0, parent = 0;
	while (count < room) {
		uint32_t at = count++;
		set_node(&out[at], &cursor, parent, length);
		if (ts_tree_cursor_goto_first_child(&cursor)) {
			parent = at;
			continue;
		}
		out[at].past = count;
		while (!ts_tree_cursor_goto_next_sibling(&cursor)) {
			if (!ts_tree_cursor_goto_parent(&cursor)) {
				ts_tree_cursor_delete(&cursor);
				return count;
			}
			at = parent;
			parent = out[at].parent;
			out[at].past = count;
		}
	}
	ts_tree_cursor_delete(&cursor);
	return 0;
}
