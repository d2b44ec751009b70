package kernel

// rust is the table of Rust. The semicolon counts: without it a statement is
// the value of its block.
func rust() *table {
	return &table{
		blocks:     setOf("source_file", "block", "declaration_list"),
		functions:  setOf("function_item", "closure_expression"),
		scopes:     setOf("block", "for_expression", "match_arm"),
		definition: setOf("function_item", "struct_item", "enum_item", "impl_item", "mod_item"),
		verbatim:   setOf("string_literal", "raw_string_literal"),
		comma:      setOf("tuple_expression", "tuple_type", "tuple_pattern"),
		unwrap:     setOf("parenthesized_expression"),
		imports:    setOf("use_declaration"),
		leading:    setOf("attribute"),
		hoist:      setOf("attribute_item"),
		variables:  setOf("identifier"),
		shorthands: setOf("shorthand_field_identifier"),
		notNames: []place{
			{"scoped_identifier", ""},
			{"macro_invocation", "macro"},
			{"function_item", "name"},
			{"attribute", ""},
			{"use_as_clause", ""},
			{"use_list", ""},
			{"label", ""},
			{"shorthand_field_initializer", ""},
			{"scoped_use_list", ""},
			{"mod_item", "name"},
			{"const_item", "name"},
			{"static_item", "name"},
			{"tuple_struct_pattern", "type"},
		},
		binders: []binder{
			{place: place{"let_declaration", "pattern"}}, {place: place{"for_expression", "pattern"}}, {place: place{"closure_parameters", ""}, param: true}, {place: place{"parameter", "pattern"}, param: true},
		},
		pattern: setOf("tuple_pattern", "mut_pattern", "ref_pattern", "reference_pattern", "slice_pattern", "parameter"),
		calls: []callForm{
			{kind: "macro_invocation", name: "macro", args: "token_tree"},
			{kind: "call_expression", function: "function", args: "arguments", member: place{"field_expression", "value"}, property: "field"},
		},
		testsByName: false,
		reserved:    setOf("main", "drop", "eq", "ne", "fmt", "assert", "assert_eq", "assert_ne", "Some", "None", "Ok", "Err", "Vec", "String", "Box"),
		effects: setOf("exit", "abort", "set_var", "remove_var", "set_hook", "take_hook", "no_mangle", "export_name", "link_section", "macro_export", "transmute", "set_current_dir", "ctor", "global_allocator",
			"panic_handler", "catch_unwind", "write_volatile"),
	}
}
