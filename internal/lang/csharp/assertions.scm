((invocation_expression function: (_) @f) @assertion (#match? @f "(?i)assert|should|verify|expect|throws|check|received"))
(throw_statement) @assertion
