((method_invocation name: (identifier) @f) @assertion (#match? @f "(?i)assert|verify|expect|should|fail|check|throws|match|^is[A-Z]|^then"))
(assert_statement) @assertion
(throw_statement) @assertion
