package kernel

// ruby is the table of Ruby.
func ruby() *table {
	return &table{
		blocks:     setOf("program", "body_statement", "then", "else", "ensure", "begin"),
		functions:  setOf("method", "block", "lambda", "singleton_method"),
		definition: setOf("method", "class", "module"),
		verbatim:   setOf("string", "regex", "heredoc_body", "subshell", "delimited_symbol", "string_array", "symbol_array"),
		strings:    setOf("string"),
		ends:       setOf(";"),
		comma:      setOf("block_parameters"),
		unwrap:     setOf("parenthesized_statements"),
		without:    map[string]set{"block": setOf("{", "}"), "do_block": setOf("do", "end"), "argument_list": setOf("(", ")")},
		alias:      map[string]string{"do_block": "block", "block_body": "body_statement"},
		variables:  setOf("identifier"),
		notNames:   []place{{"call", "method"}, {"method", "name"}, {"pair", "key"}, {"alias", ""}, {"undef", ""}, {"keyword_parameter", "name"}},
		binders: []binder{
			{place: place{"assignment", "left"}},
			{place: place{"operator_assignment", "left"}},
			{place: place{"block_parameters", ""}, param: true},
			{place: place{"method_parameters", ""}, fixed: true, param: true},
			{place: place{"exception_variable", ""}},
			{place: place{"for", "pattern"}},
			{place: place{"lambda_parameters", ""}, param: true},
		},
		pattern: setOf("left_assignment_list", "destructured_left_assignment", "rest_assignment", "destructured_parameter", "splat_parameter", "optional_parameter", "block_parameter", "hash_splat_parameter"),
		outer:   true,
		calls: []callForm{{
			kind: "call", object: "receiver", name: "method", args: "arguments", block: "block",
		}},
		pragmas:     []string{"frozen_string_literal", "encoding:", "coding:", "warn_indent", "shareable_constant_value"},
		evals:       setOf("binding", "eval", "instance_eval", "local_variables", "local_variable_set", "local_variable_get"),
		testsByName: true,
		reserved: setOf("Integer", "String", "Array", "Hash", "Object", "BasicObject", "Kernel", "NilClass", "TrueClass", "FalseClass", "Symbol", "Float", "Numeric", "Comparable", "Enumerable", "Module", "Class",
			"Struct", "Set", "Time", "Date", "DateTime", "Exception", "StandardError", "Proc", "Method", "Range", "Regexp", "IO", "File", "Dir", "Process", "Minitest", "RSpec", "Test", "Rational", "Complex", "Random", "Thread",
			"to_s", "inspect", "initialize", "method_missing", "respond_to?", "assert", "refute", "expect", "puts", "p", "raise", "require", "message", "mu_pp", "diff", "pass", "name", "run", "result", "object_id", "hash", "send", "class"),
		effects: setOf("at_exit", "exit", "exit!", "abort", "instance_eval", "class_eval", "module_eval", "class_exec", "instance_exec", "eval", "define_method", "define_singleton_method", "const_set", "remove_const", "undef_method", "alias_method",
			"remove_method", "instance_variable_set", "ObjectSpace", "TracePoint", "prepend", "refine", "allow_any_instance_of", "expect_any_instance_of", "any_instance", "ENV", "class_variable_set", "singleton_class", "autoload", "after_run",
			"set_trace_func", "include", "extend", "stub_any_instance", "load", "parallelize_me!", "i_suck_and_my_tests_are_order_dependent!"),
	}
}
