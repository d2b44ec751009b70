package kernel

// javascript is the table of JavaScript.
func javascript() *table {
	return &table{
		blocks:     setOf("program", "statement_block", "class_body"),
		functions:  setOf("arrow_function", "function_declaration", "function_expression", "method_definition", "generator_function", "generator_function_declaration"),
		scopes:     setOf("statement_block", "for_statement", "for_in_statement", "catch_clause", "class_body"),
		definition: setOf("function_declaration", "class_declaration", "method_definition", "generator_function_declaration", "interface_declaration", "type_alias_declaration"),
		verbatim:   setOf("string", "template_string", "regex", "jsx_element", "jsx_text"),
		strings:    setOf("string"),
		ends:       setOf(";"),
		comma:      set{},
		unwrap:     setOf("parenthesized_expression"),
		imports:    setOf("import_statement"),
		variables:  setOf("identifier"),
		shorthands: setOf("shorthand_property_identifier", "shorthand_property_identifier_pattern"),
		notNames: []place{
			{"import_specifier", ""},
			{"import_clause", ""},
			{"namespace_import", ""},
			{"function_declaration", "name"},
			{"class_declaration", "name"},
			{"function_expression", "name"},
			{"export_specifier", ""},
			{"nested_identifier", ""},
		},
		binders: []binder{
			{place: place{"formal_parameters", ""}, param: true},
			{place: place{"arrow_function", "parameter"}, param: true},
			{place: place{"variable_declarator", "name"}},
			{place: place{"for_in_statement", "left"}},
			{place: place{"catch_clause", "parameter"}},
		},
		pattern: setOf("object_pattern", "array_pattern", "pair_pattern", "rest_pattern", "assignment_pattern", "required_parameter", "optional_parameter", "object_assignment_pattern"),
		calls: []callForm{{
			kind: "call_expression", function: "function", args: "arguments",
			member: place{"member_expression", "object"}, property: "property",
		}},
		pragmas:  []string{"@jest-environment", "@vitest-environment", "@jest-config", "@ts-expect-error", "<reference", "@jsx"},
		evals:    setOf("eval", "arguments"),
		reserved: setOf("expect", "assert", "it", "test", "describe", "jest", "vi", "Promise", "Object", "Array", "String", "Number", "Boolean", "Date", "Math", "JSON", "Error", "console", "process", "global", "globalThis", "require", "module", "exports", "setTimeout", "fetch", "Symbol", "Map", "Set", "chai", "sinon", "undefined", "NaN"),
		effects: setOf("process", "global", "globalThis", "prototype", "__proto__", "defineProperty", "defineProperties", "setPrototypeOf", "eval", "Function", "spyOn", "stub", "mock", "doMock", "unmock",
			"dontMock", "extend", "addSnapshotSerializer", "addEqualityTesters", "retryTimes", "resetModules", "isolateModules", "setMock", "useFakeTimers", "setSystemTime", "cache", "exports", "module",
			"stubGlobal", "stubEnv", "Proxy", "replaceProperty", "restoreAllMocks", "createRequire", "syncBuiltinESMExports", "setTestTimeout", "config", "exit", "hoisted"),
	}
}

// typescript is the table of TypeScript: JavaScript with types, which nothing
// that runs can see.
func typescript() *table {
	t := javascript()
	t.types = setOf("type_annotation", "type_parameters", "asserts_annotation", "type_predicate_annotation")
	t.typed = setOf("as_expression", "non_null_expression", "satisfies_expression")
	t.typeWord = []string{"expectTypeOf", "assertType", "@ts-expect-error", "expectType<", "expectError", "AssertEqual", "assertEqual<", "TypeEqual", "Equal<"}
	return t
}
