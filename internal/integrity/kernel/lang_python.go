package kernel

// python is the table of Python.
func python() *table {
	return &table{
		blocks:     setOf("module", "block"),
		functions:  setOf("function_definition", "lambda"),
		definition: setOf("function_definition", "class_definition"),
		verbatim:   setOf("string", "format_specifier"),
		strings:    setOf("string"),
		ends:       setOf(";"),
		comma:      setOf("tuple", "subscript", "expression_list", "pattern_list", "tuple_pattern"),
		unwrap:     setOf("parenthesized_expression"),
		drop:       setOf("line_continuation"),
		types:      setOf("type"),
		typed:      setOf("typed_parameter"),
		alias:      map[string]string{"typed_default_parameter": "default_parameter"},
		docStrings: true,
		imports:    setOf("import_statement", "import_from_statement"),
		variables:  setOf("identifier"),
		notNames: []place{
			{"attribute", "attribute"}, {"keyword_argument", "name"}, {"dotted_name", ""}, {"aliased_import", ""}, {"function_definition", "name"},
			{"class_definition", "name"}, {"decorator", ""}, {"keyword_pattern", ""},
		},
		binders: []binder{
			{place: place{"parameters", ""}, fixed: true, param: true},
			{place: place{"lambda_parameters", ""}, param: true},
			{place: place{"assignment", "left"}}, {place: place{"augmented_assignment", "left"}}, {place: place{"named_expression", "name"}},
			{place: place{"for_statement", "left"}}, {place: place{"for_in_clause", "left"}}, {place: place{"as_pattern_target", ""}},
		},
		pattern: setOf("pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern", "default_parameter", "typed_parameter", "dictionary_splat_pattern", "parenthesized_expression"),
		calls: []callForm{{
			kind: "call", function: "function", args: "arguments",
			member: place{"attribute", "object"}, property: "attribute",
		}},
		pragmas:     []string{"coding:", "coding=", "doctest:"},
		evals:       setOf("locals", "vars", "eval", "exec", "globals", "nonlocal"),
		testsByName: true,
		reserved: setOf("print", "len", "str", "repr", "int", "float", "bool", "list", "dict", "set", "tuple", "sorted", "isinstance", "type", "object", "super", "range", "zip", "map", "filter",
			"open", "abs", "min", "max", "sum", "any", "all", "round", "hash", "iter", "next", "getattr", "hasattr", "property", "request", "monkeypatch", "tmp_path", "capsys", "caplog", "recwarn", "Exception", "AssertionError"),
		effects: setOf("atexit", "_exit", "exec", "eval", "compile", "setattr", "delattr", "globals", "__dict__", "__builtins__", "builtins", "modules", "settrace", "setprofile", "_getframe",
			"importlib", "reload", "__import__", "signal", "ctypes", "gc", "__class__", "__bases__", "pytestmark", "pytest_plugins", "start", "addfinalizer", "addCleanup", "addModuleCleanup", "addClassCleanup",
			"putenv", "meta_path", "path_hooks", "sitecustomize", "exit", "kill", "abort", "__setattr__", "addTypeEqualityFunc", "simplefilter", "filterwarnings", "getfixturevalue", "excepthook",
			"set_default", "register_assert_rewrite", "failureException", "_testMethodName", "hookimpl", "chdir"),
	}
}
