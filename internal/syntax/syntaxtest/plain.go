// Package syntaxtest measures tree-sitter without what package syntax adds.
package syntaxtest

// typedef struct TSLanguage TSLanguage;
// typedef struct TSParser TSParser;
// typedef struct TSTree TSTree;
// TSParser *ts_parser_new(void);
// _Bool ts_parser_set_language(TSParser *, const TSLanguage *);
// TSTree *ts_parser_parse_string(TSParser *, const TSTree *, const char *, unsigned);
// void ts_tree_delete(TSTree *);
// void ts_parser_delete(TSParser *);
//
// static int plain(const void *language, const char *source, unsigned length) {
//   TSParser *parser = ts_parser_new();
//   ts_parser_set_language(parser, language);
//   TSTree *tree = ts_parser_parse_string(parser, (void *)0, source, length);
//   if (tree) ts_tree_delete(tree);
//   ts_parser_delete(parser);
//   return tree != (void *)0;
// }
import "C"

import "unsafe"

// Plain parses a source in C, drops the tree, and reports whether there was one.
func Plain(grammar unsafe.Pointer, src []byte) bool {
	return C.plain(
		grammar, (*C.char)(unsafe.Pointer(unsafe.SliceData(src))), C.unsigned(len(src)),
	) != 0
}
