package kernel

// csharp is the table of C#.
func csharp() *table {
	return &table{
		blocks:     setOf("compilation_unit", "block", "declaration_list"),
		functions:  setOf("method_declaration", "constructor_declaration", "lambda_expression", "local_function_statement", "anonymous_method_expression"),
		scopes:     setOf("block", "for_statement", "foreach_statement", "using_statement", "catch_clause"),
		definition: setOf("method_declaration", "class_declaration", "record_declaration", "struct_declaration", "enum_declaration", "interface_declaration"),
		verbatim:   setOf("string_literal", "interpolated_string_expression", "verbatim_string_literal", "raw_string_literal"),
		ends:       setOf(";"),
		drop:       setOf("preproc_region", "preproc_endregion", "preproc_pragma", "preproc_nullable"), // for editors and for the compiler's warnings
		comma:      setOf("array_rank_specifier", "tuple_pattern"),
		unwrap:     setOf("parenthesized_expression"),
		imports:    setOf("using_directive"),
		hoist:      setOf("attribute_list"),
		variables:  setOf("identifier"),
		notNames: []place{
			{"member_access_expression", "name"},
			{"member_binding_expression", "name"},
			{"argument", "name"},
			{"name_colon", ""},
			{"generic_name", ""},
			{"qualified_name", ""},
			{"method_declaration", "name"},
			{"class_declaration", "name"},
			{"attribute", ""},
			{"using_directive", ""},
			{"initializer_expression", ""},
			{"anonymous_object_creation_expression", ""},
			{"object_creation_expression", "type"},
			{"variable_declaration", "type"},
			{"enum_member_declaration", "name"},
			{"with_initializer", ""},
			{"labeled_statement", ""},
			{"goto_statement", ""},
		},
		binders: []binder{
			{place: place{"variable_declarator", "name"}},
			{place: place{"foreach_statement", "left"}},
			{place: place{"declaration_expression", "name"}},
			{place: place{"parameter", "name"}, fixed: true, param: true},
			{place: place{"lambda_expression", "parameters"}, param: true},
			{place: place{"implicit_parameter", ""}, param: true},
			{place: place{"catch_declaration", "name"}},
			{place: place{"declaration_pattern", "name"}},
		},
		pattern: setOf("tuple_pattern", "parenthesized_variable_designation", "implicit_parameter"),
		calls: []callForm{{
			kind: "invocation_expression", function: "function", args: "arguments",
			member: place{"member_access_expression", "expression"}, property: "name",
		}},
		testsByName: false,
		reserved:    setOf("Equals", "GetHashCode", "ToString", "CompareTo", "Dispose", "DisposeAsync", "Main", "Assert", "Object", "String", "Math", "Console"),
		effects: setOf("Exit", "FailFast", "SetEnvironmentVariable", "AppDomain", "GetField", "SetValue", "Harmony", "HarmonyPatch", "Unsafe", "DllImport", "ModuleInitializer", "DefaultThreadCurrentCulture", "CollectionBehavior",
			"ProcessExit", "UnhandledException", "AssertionOptions", "AssertionScope", "BeforeAfterTestAttribute"),
	}
}
