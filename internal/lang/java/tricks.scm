; An answer beside an input that the code recognises.
[(if_statement
   condition: (parenthesized_expression
     [(method_invocation object: (string_literal) @input)
      (method_invocation arguments: (argument_list (string_literal) @input))
      (binary_expression operator: "==" right: [(decimal_integer_literal) (decimal_floating_point_literal)] @input)])
   consequence: [(return_statement [(string_literal) (decimal_integer_literal) (decimal_floating_point_literal)] @answer)
                 (block (return_statement [(string_literal) (decimal_integer_literal) (decimal_floating_point_literal)] @answer))])
 (switch_rule
   (switch_label [(string_literal) (decimal_integer_literal)] @input)
   (expression_statement [(string_literal) (decimal_integer_literal) (decimal_floating_point_literal)] @answer))
 (switch_block_statement_group
   (switch_label [(string_literal) (decimal_integer_literal)] @input)
   (return_statement [(string_literal) (decimal_integer_literal) (decimal_floating_point_literal)] @answer))
 (argument_list
   . [(string_literal) (decimal_integer_literal)] @input
   . [(string_literal) (decimal_integer_literal) (decimal_floating_point_literal)] @answer)] @special_casing

((method_declaration
  name: (identifier) @name
  body: (_)) @operator_overload
  (#any-of? @name "equals" "compareTo" "contains"))

((string_literal) @test_env_detection
  (#match? @test_env_detection "^.(org\\.junit.*|org\\.testng.*|surefire.*|sun\\.java\\.command)\"$"))

((method_invocation name: (identifier) @name) @stack_inspection
  (#any-of? @name "getStackTrace" "getAllStackTraces"))
((identifier) @stack_inspection (#eq? @stack_inspection "StackWalker"))

((method_invocation object: (_) @on name: (identifier) @name) @process_exit
  (#match? @on "^(System|Runtime\\.getRuntime\\(\\))$") (#any-of? @name "exit" "halt" "addShutdownHook"))

((string_literal) @reads_test_file (#match? @reads_test_file "src/test/|Test\\.java\"$"))

(update_expression (_) @counted) @state_recording
(binary_expression left: (_) @checked operator: ["==" "<" ">" "<=" ">="] right: (decimal_integer_literal))
(array_access index: (_) @checked)
((string_literal) @test_mode (#eq? @test_mode "\"TEST_MODE\""))
