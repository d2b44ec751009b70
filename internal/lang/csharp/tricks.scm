; An answer beside an input that the code recognises.
[(if_statement
   condition: (binary_expression operator: "==" right: [(string_literal) (integer_literal) (real_literal)] @input)
   consequence: [(return_statement [(string_literal) (integer_literal) (real_literal)] @answer)
                 (block (return_statement [(string_literal) (integer_literal) (real_literal)] @answer))])
 (switch_expression_arm
   (constant_pattern [(string_literal) (integer_literal) (real_literal)] @input)
   [(string_literal) (integer_literal) (real_literal)] @answer)
 (initializer_expression
   . [(string_literal) (integer_literal)] @input
   . [(string_literal) (integer_literal) (real_literal)] @answer .)] @special_casing

((method_declaration
  name: (identifier) @name
  body: (_)) @operator_overload
  (#any-of? @name "Equals" "CompareTo" "Contains"))

((string_literal) @test_env_detection
  (#match? @test_env_detection "^.(xunit.*|nunit.*|mstest.*|testhost.*)\"$"))

((member_access_expression) @stack_inspection
  (#match? @stack_inspection "^(Environment\\.StackTrace|Assembly\\.Get(Calling|Entry)Assembly)$"))
((object_creation_expression type: (_) @type) @stack_inspection
  (#any-of? @type "StackTrace" "StackFrame"))

((invocation_expression function: (_) @callee) @process_exit
  (#match? @callee "^Environment\\.(Exit|FailFast)$"))

((string_literal) @reads_test_file (#match? @reads_test_file "Tests?\\.cs\"$|\\.Tests?/"))

(postfix_unary_expression (_) @counted) @state_recording
(prefix_unary_expression (_) @counted) @state_recording
(binary_expression left: (_) @checked operator: ["==" "<" ">" "<=" ">="] right: (integer_literal))
((string_literal) @test_mode (#eq? @test_mode "\"TEST_MODE\""))
