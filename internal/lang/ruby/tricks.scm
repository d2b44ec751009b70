; An answer beside an input that the code recognises.
[(if condition: (binary operator: "==" right: [(string) (integer) (float)] @input)
   consequence: (then [(string) (integer) (float)] @answer))
 (if condition: (binary operator: "==" right: [(string) (integer) (float)] @input)
   consequence: (then (return (argument_list [(string) (integer) (float)] @answer))))
 (if_modifier
   body: (return (argument_list [(string) (integer) (float)] @answer))
   condition: (binary operator: "==" right: [(string) (integer) (float)] @input))
 (when pattern: (pattern [(string) (integer) (float)] @input) body: (then [(string) (integer) (float)] @answer))
 (pair key: [(string) (integer)] @input value: [(string) (integer) (float)] @answer)] @special_casing

((method
  name: (_) @name
  body: (_)) @operator_overload
  (#any-of? @name "==" "<=>" "eql?" "equal?" "===" "!=" "include?"))

((constant) @test_env_detection (#any-of? @test_env_detection "RSpec" "Minitest"))
((string (string_content) @text) @test_mode
  (#match? @text "^(RAILS_ENV|RACK_ENV|APP_ENV|TEST_MODE)$"))

((identifier) @stack_inspection (#any-of? @stack_inspection "caller" "caller_locations"))

((identifier) @process_exit (#any-of? @process_exit "exit" "exit!" "abort" "at_exit"))

((class name: (constant) @name) @builtin_patch
  (#any-of? @name "Integer" "String" "Array" "Hash" "Object" "Time" "Date" "Float" "NilClass"))

((string (string_content) @text) @reads_test_file
  (#match? @text "(^|/)(spec|test)/|_(spec|test)\\.rb$"))

(operator_assignment left: (_) @counted right: (integer)) @state_recording
(binary left: (_) @checked operator: ["==" "<" ">" "<=" ">="] right: (integer))
(element_reference (_) (_) @checked)
