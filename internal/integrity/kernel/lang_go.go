package kernel

// golang is the table of Go.
func golang() *table {
	return &table{
		blocks:     setOf("source_file", "statement_list", "block"),
		functions:  setOf("function_declaration", "method_declaration", "func_literal"),
		scopes:     setOf("block", "if_statement", "for_statement", "expression_switch_statement", "type_switch_statement", "expression_case", "type_case", "default_case", "communication_case"),
		definition: setOf("function_declaration", "method_declaration", "type_declaration"),
		verbatim:   setOf("interpreted_string_literal", "raw_string_literal"),
		ends:       setOf(";"),
		comma:      set{},
		unwrap:     setOf("parenthesized_expression"),
		imports:    setOf("import_spec"),
		flatten:    setOf("import_declaration"),
		variables:  setOf("identifier"),
		shorthands: set{},
		notNames: []place{
			{"function_declaration", "name"}, {"selector_expression", "field"}, {"labeled_statement", "label"}, {"qualified_type", ""}, {"literal_element", ""},
		},
		binders: []binder{
			{place: place{"short_var_declaration", "left"}},
			{place: place{"range_clause", "left"}},
			{place: place{"var_spec", "name"}},
			{place: place{"const_spec", "name"}},
			{place: place{"parameter_declaration", "name"}, param: true},
			{place: place{"type_switch_statement", "alias"}},
			{place: place{"receive_statement", "left"}},
		},
		pattern: setOf("expression_list"),
		calls: []callForm{{
			kind: "call_expression", function: "function", args: "arguments",
			member: place{"selector_expression", "operand"}, property: "field",
		}},
		pragmas:     []string{"go:", "+build", "//line ", "//export "},
		testsByName: true,
		reserved: setOf("append", "cap", "clear", "close", "complex", "copy", "delete", "imag", "len", "make", "max", "min", "new", "panic", "print", "println", "real", "recover", "nil", "true", "false", "iota",
			"error", "string", "int", "bool", "byte", "rune", "float64", "any", "init", "main", "TestMain", "String", "Error", "Equal", "Is", "As", "Unwrap", "Format", "MarshalJSON", "UnmarshalJSON"),
		effects: setOf("flag", "Exit", "Setenv", "Unsetenv", "Clearenv", "Goexit", "unsafe", "syscall", "gomonkey", "monkey", "ApplyFunc", "ApplyMethod", "mpatch", "linkname", "plugin", "SetDefault", "Chdir"),
	}
}
