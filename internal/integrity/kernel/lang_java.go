package kernel

// java is the table of Java.
func java() *table {
	return &table{
		blocks:     setOf("program", "block", "class_body", "interface_body", "enum_body_declarations", "constructor_body"),
		functions:  setOf("method_declaration", "constructor_declaration", "lambda_expression"),
		scopes:     setOf("block", "for_statement", "enhanced_for_statement", "try_with_resources_statement", "catch_clause"),
		definition: setOf("method_declaration", "class_declaration", "record_declaration", "enum_declaration", "interface_declaration"),
		verbatim:   setOf("string_literal"),
		ends:       setOf(";"),
		comma:      set{},
		unwrap:     setOf("parenthesized_expression"),
		imports:    setOf("import_declaration"),
		hoist:      setOf("modifiers"),
		variables:  setOf("identifier"),
		notNames: []place{
			{"method_invocation", "name"}, {"field_access", "field"}, {"element_value_pair", "key"}, {"scoped_identifier", ""}, {"labeled_statement", ""}, {"method_reference", ""},
			{"method_declaration", "name"}, {"class_declaration", "name"}, {"annotation", "name"}, {"marker_annotation", "name"}, {"constructor_declaration", "name"},
			{"import_declaration", ""}, {"package_declaration", ""}, {"break_statement", ""}, {"continue_statement", ""}, {"enum_constant", "name"},
		},
		binders: []binder{
			{place: place{"variable_declarator", "name"}}, {place: place{"enhanced_for_statement", "name"}}, {place: place{"formal_parameter", "name"}, fixed: true, param: true},
			{place: place{"inferred_parameters", ""}, param: true}, {place: place{"lambda_expression", "parameters"}, param: true}, {place: place{"catch_formal_parameter", "name"}},
			{place: place{"resource", "name"}}, {place: place{"instanceof_expression", "name"}}, {place: place{"type_pattern", ""}},
		},
		pattern:     set{},
		calls:       []callForm{{kind: "method_invocation", object: "object", name: "name", args: "arguments"}},
		testsByName: true,
		reserved:    setOf("equals", "hashCode", "toString", "compareTo", "close", "finalize", "clone", "suite", "main", "String", "Object", "Math", "System", "Assert", "Assertions"),
		effects: setOf("exit", "halt", "setSecurityManager", "Unsafe", "setAccessible", "setProperty", "setProperties", "mockStatic", "mockConstruction", "setDefault", "setDefaultUncaughtExceptionHandler",
			"addShutdownHook", "setOut", "setErr", "getDeclaredField", "defineClass", "Instrumentation", "RegisterExtension", "ExtendWith", "RunWith"),
	}
}
