package soundnesstest_test

import (
	_ "embed"
	"strings"

	"workflow-reviewer/internal/syntax"
)

// language says how edits are written. A statement stands in place of %s.
type language struct {
	name                syntax.Language
	comment             string
	never, swallow      string
	leave               []string // early returns
	nothing             string   // a statement that does nothing
	not                 string
	null, no, emptyList string
	indents             bool // a statement within another stands further right
	swaps               map[string][]string
}

func languageOf(name syntax.Language) language {
	l := language{
		name: name, comment: "//", never: "if (false) { %s }", not: "!(%s)", null: "null", no: "false",
		leave: []string{"return;"}, nothing: ";",
	}
	section := "JavaScript"
	switch name {
	case syntax.Python:
		l.comment, l.never, l.swallow = "#", "if False:\n    %s", "try:\n    %s\nexcept Exception:\n    pass"
		l.leave, l.nothing, l.not, l.null, l.no, l.emptyList, l.indents = []string{"return"}, "pass", "not (%s)", "None", "False", "()",
			true
		section = "Python"
	case syntax.Ruby:
		l.comment, l.never, l.swallow = "#", "if false\n%s\nend", "begin\n%s\nrescue Exception\nend"
		l.leave, l.nothing, l.null, l.emptyList = []string{"return", "next"}, "nil", "nil", "[]"
		section = "Ruby"
	case syntax.Go:
		l.never, l.swallow = "if false {\n%s\n}", "func() {\ndefer func() { _ = recover() }()\n%s\n}()"
		l.leave, l.nothing, l.null, l.emptyList = []string{"return"}, "", "nil", "[]int{}"
		section = "Go"
	case syntax.Java:
		l.swallow, l.emptyList = "try { %s } catch (Throwable ignored) { }", "java.util.List.of()"
		l.leave = []string{"if (true) return;"}
		section = "Java"
	case syntax.CSharp:
		l.swallow, l.emptyList = "try { %s } catch { }", "System.Array.Empty<int>()"
		section = "C#"
	case syntax.Rust:
		l.never, l.swallow = "if false { %s }", "let _ = std::panic::catch_unwind(|| { %s });"
		l.null, l.emptyList, l.nothing = "Default::default()", "[]", ""
		section = "Rust"
	default:
		l.swallow, l.emptyList, l.null = "try { %s } catch { }", "[]", "undefined"
	}
	l.swaps = names(section)
	return l
}

//go:embed testdata/names.txt
var nameTable string

// names reads the section of a language from the table of names.
func names(section string) map[string][]string {
	out := map[string][]string{}
	in := false
	for line := range strings.Lines(nameTable) {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0 || fields[0] == "#":
		case strings.HasPrefix(fields[0], "["):
			in = fields[0] == "["+section+"]"
		case in:
			out[fields[0]] = fields[1:]
		}
	}
	return out
}

// Kinds of nodes, over all languages.
var (
	blockKinds = []string{
		"module", "block", "program", "statement_block", "statement_list", "body_statement", "block_body", "then",
		"source_file", "compilation_unit",
	}
	memberKinds = []string{"class_body", "declaration_list"}
	rootKinds   = []string{"module", "program", "source_file", "compilation_unit"}
	callKinds   = []string{"call", "call_expression", "method_invocation", "invocation_expression", "macro_invocation"}
	memberOf    = []string{"attribute", "member_expression", "selector_expression", "member_access_expression", "field_expression"}
	argKinds    = []string{"argument_list", "arguments"}
	listKinds   = []string{
		"list", "array", "tuple", "set", "dictionary", "object", "hash", "string_array", "symbol_array", "literal_value",
		"initializer_expression", "array_initializer", "array_expression", "tuple_expression", "element_value_array_initializer",
		"annotation_argument_list", "attribute_argument_list",
	}
	binaryKinds = []string{
		"binary_expression", "binary_operator", "boolean_operator", "comparison_operator", "binary",
		"augmented_assignment",
	}
	unaryKinds = []string{"unary_operator", "not_operator", "unary_expression", "unary", "prefix_unary_expression"}
	awaitKinds = []string{"await", "await_expression"}
	indexKinds = []string{
		"subscript", "subscript_expression", "index_expression", "element_reference", "array_access", "slice", "slice_expression",
		"bracketed_argument_list",
	}
	numberKinds = []string{
		"integer", "float", "number", "int_literal", "float_literal", "decimal_integer_literal", "hex_integer_literal",
		"decimal_floating_point_literal", "integer_literal", "real_literal",
	}
	textKinds = []string{
		"string_content", "string_fragment", "multiline_string_fragment", "interpreted_string_literal_content",
		"raw_string_literal_content", "string_literal_content", "raw_string_content", "character_literal_content",
		"heredoc_content", "simple_symbol", "hash_key_symbol", "regex_pattern",
	}
	charKinds     = []string{"rune_literal", "char_literal", "character_literal"}
	functionKinds = []string{
		"function_definition", "function_declaration", "method_declaration", "method_definition", "func_literal", "arrow_function",
		"function_expression", "lambda_expression", "method", "do_block", "function_item", "closure_expression", "constructor_declaration",
		"local_function_statement",
	}
	markerKinds = []string{"decorator", "annotation", "marker_annotation", "attribute_item", "attribute_list"}
)
