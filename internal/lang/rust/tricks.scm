; An answer beside an input that the code recognises.
[(if_expression
   condition: (binary_expression operator: "==" right: [(string_literal) (integer_literal) (float_literal) (tuple_expression)] @input)
   consequence: (block [(string_literal) (integer_literal) (float_literal)] @answer))
 (match_arm
   pattern: (match_pattern [(string_literal) (integer_literal) (tuple_pattern)] @input)
   value: [(string_literal) (integer_literal) (float_literal)] @answer)
 (tuple_expression
   . [(string_literal) (integer_literal)] @input
   . [(string_literal) (integer_literal) (float_literal)] @answer .)] @special_casing

((function_item
  name: (identifier) @name
  body: (_)) @operator_overload
  (#any-of? @name "eq" "ne" "lt" "le"))

((string_literal) @test_env_detection
  (#match? @test_env_detection "^.(RUST_TEST_THREADS|NEXTEST.*|CARGO_TARGET_TMPDIR)\"$"))
((macro_invocation macro: (identifier) @name (token_tree . (identifier) @flag .)) @test_env_detection
  (#eq? @name "cfg") (#eq? @flag "test"))
((scoped_identifier) @test_mode (#match? @test_mode "(^|::)(current_exe|thread::current)$"))

((scoped_identifier) @stack_inspection (#match? @stack_inspection "^(std::backtrace::)?Backtrace::(force_)?capture$|Location::caller$"))

((call_expression function: (_) @callee) @process_exit
  (#match? @callee "(^|::)process::(exit|abort)$"))

((string_literal) @reads_test_file (#match? @reads_test_file "(^.|/)tests/|\\.snap.$"))

(compound_assignment_expr left: (_) @counted right: (integer_literal)) @state_recording
((call_expression function: (field_expression value: (_) @counted field: (field_identifier) @f)) @state_recording
  (#eq? @f "fetch_add"))
(binary_expression left: (_) @checked operator: ["==" "<" ">" "<=" ">="] right: (integer_literal))
(index_expression (_) (_) @checked)
((string_literal) @test_mode (#eq? @test_mode "\"TEST_MODE\""))
