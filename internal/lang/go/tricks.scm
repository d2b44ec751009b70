; An answer beside an input that the code recognises.
[(if_statement
   condition: (binary_expression operator: "==" right: [(interpreted_string_literal) (raw_string_literal) (int_literal) (float_literal)] @input)
   consequence: (block (statement_list (return_statement (expression_list . [(interpreted_string_literal) (int_literal) (float_literal)] @answer)))))
 (expression_case
   value: (expression_list [(interpreted_string_literal) (int_literal) (float_literal)] @input)
   (statement_list (return_statement (expression_list . [(interpreted_string_literal) (int_literal) (float_literal)] @answer))))
 (keyed_element
   (literal_element [(interpreted_string_literal) (int_literal) (float_literal)] @input)
   (literal_element [(interpreted_string_literal) (int_literal) (float_literal)] @answer))] @special_casing

((method_declaration
  name: (field_identifier) @name
  body: (_)) @operator_overload
  (#any-of? @name "Equal" "Equals" "Is" "Less"))

((call_expression function: (_) @callee) @test_env_detection
  (#match? @callee "^testing\\.Testing$"))
((interpreted_string_literal) @test_env_detection (#match? @test_env_detection "^.(-test\\.v|test\\.v|\\.test|\\.test\\.exe)\"$"))

((call_expression function: (_) @callee) @stack_inspection
  (#match? @callee "^(runtime\\.(Caller|Callers|CallersFrames|Stack|FuncForPC)|debug\\.Stack)$"))

((call_expression function: (_) @callee) @process_exit
  (#match? @callee "^(os|syscall)\\.Exit$"))

((interpreted_string_literal) @reads_test_file
  (#match? @reads_test_file "_test\\.go\"$|(^\"|/)testdata/|\\.golden\"$")) 

(inc_statement (_) @counted) @state_recording
(binary_expression left: (_) @checked operator: ["==" "<" ">" "<=" ">="] right: (int_literal))
(index_expression index: (_) @checked)
((interpreted_string_literal) @test_mode (#eq? @test_mode "\"TEST_MODE\""))
((call_expression function: (_) @callee) @test_mode (#match? @callee "^flag\\.Lookup$"))
