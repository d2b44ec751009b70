; An answer beside an input that the code recognises.
[(if_statement
   condition: (parenthesized_expression (binary_expression operator: ["==" "==="] right: [(string) (number)] @input))
   consequence: [(return_statement [(string) (number)] @answer)
                 (statement_block (return_statement [(string) (number)] @answer))])
 (switch_case value: [(string) (number)] @input body: (return_statement [(string) (number)] @answer))
 (ternary_expression
   condition: (binary_expression operator: ["==" "==="] right: [(string) (number)] @input)
   consequence: [(string) (number)] @answer)
 (pair key: [(string) (number) (property_identifier)] @input value: [(string) (number)] @answer)
 (array . [(string) (number)] @input . [(string) (number)] @answer .)] @special_casing

((method_definition
  name: (_) @name
  body: (_)) @operator_overload
  (#any-of? @name "equals" "isEqual" "asymmetricMatch" "compareTo"))

((member_expression) @test_env_detection
  (#match? @test_env_detection "^(process\\.env\\.(JEST_WORKER_ID|VITEST|VITEST_WORKER_ID|MOCHA_.*)|(global|globalThis)\\.(jest|vitest|describe|it|expect))$"))
((binary_expression
  left: (member_expression) @env right: (string) @mode) @test_mode
  (#eq? @env "process.env.NODE_ENV") (#match? @mode "^.test.$"))

((member_expression) @stack_inspection
  (#match? @stack_inspection "^(Error\\.(captureStackTrace|prepareStackTrace)|new Error\\(.*\\)\\.stack|arguments\\.callee|module\\.parent|require\\.main)$"))

((call_expression function: (_) @callee) @process_exit
  (#match? @callee "^process\\.(exit|reallyExit|abort)$"))
((assignment_expression left: (_) @target) @process_exit
  (#eq? @target "process.exitCode"))

((assignment_expression left: (member_expression) @target) @builtin_patch
  (#match? @target "^(Date|Math|JSON|Object|Array|String|Number|Promise|console|(Array|Object|String|Function|Promise)\\.prototype)\\.[A-Za-z]+$"))

((assignment_expression left: (member_expression) @target) @framework_monkeypatch
  (#match? @target "^((global|globalThis)\\.)?(expect|jest|vi|chai|assert|describe|it|test)(\\.|$)"))

((string (string_fragment) @text) @reads_test_file
  (#match? @text "(^|/)(__tests__|__snapshots__|tests?)/|\\.(test|spec)(\\.[jt]sx?)?$|\\.snap$"))

(update_expression argument: (_) @counted) @state_recording
(augmented_assignment_expression left: (_) @counted right: (number)) @state_recording
(binary_expression left: (_) @checked operator: ["==" "===" "<" ">" "<=" ">="] right: (number))
(subscript_expression index: (_) @checked)
((member_expression) @test_mode (#eq? @test_mode "process.env.TEST_MODE"))
