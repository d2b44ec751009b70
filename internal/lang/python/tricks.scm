; An answer beside an input that the code recognises.
[(if_statement
   condition: (comparison_operator operators: "==" [(string) (integer) (float) (tuple) (list)] @input)
   consequence: (block (return_statement [(string) (integer) (float)] @answer)))
 (elif_clause
   condition: (comparison_operator operators: "==" [(string) (integer) (float)] @input)
   consequence: (block (return_statement [(string) (integer) (float)] @answer)))
 (case_clause
   (case_pattern [(string) (integer) (float) (tuple_pattern)] @input)
   consequence: (block (return_statement [(string) (integer) (float)] @answer)))
 (pair key: [(string) (integer) (float)] @input value: [(string) (integer) (float)] @answer)] @special_casing

((function_definition
  name: (identifier) @name
  body: (_)) @operator_overload
  (#any-of? @name "__eq__" "__ne__" "__contains__" "__lt__" "__le__" "__gt__" "__ge__" "__bool__"))

((string (string_content) @text) @test_env_detection
  (#match? @text "^(PYTEST_CURRENT_TEST|PYTEST_VERSION|PYTEST_XDIST_WORKER|_?pytest|unittest|nose2?)$"))

((string (string_content) @text) @test_mode (#match? @text "^(TEST_MODE|TESTING)$"))

((attribute) @stack_inspection
  (#match? @stack_inspection "^(inspect\\.(stack|currentframe|getouterframes)|sys\\._(getframe|current_frames)|traceback\\.(extract|walk)_stack)$"))

((call function: (_) @callee) @process_exit
  (#match? @callee "^(os\\._exit|os\\.abort|atexit\\.register|sys\\.exit|exit|quit)$"))

((assignment left: (attribute) @target) @builtin_patch
  (#match? @target "^(builtins|__builtins__|time|datetime|random|math|json|operator)\\.[a-z_]+$"))

((assignment left: (attribute) @target) @framework_monkeypatch
  (#match? @target "^(_?pytest|unittest|mock)\\."))

((function_definition name: (identifier) @name) @outcome_hook
  (#match? @name "^(pytest_|load_tests$)"))

((string (string_content) @text) @reads_test_file
  (#match? @text "(^|/)(tests?/.*|test_[a-z0-9_]+\\.py|[a-z0-9_]+_test\\.py|__snapshots__.*)$"))

((augmented_assignment left: (_) @counted right: (integer)) @state_recording)
(comparison_operator (identifier) @checked operators: ["==" "<" ">" "<=" ">="] (integer))
(comparison_operator (attribute) @checked operators: ["==" "<" ">" "<=" ">="] (integer))
(subscript subscript: (_) @checked)
