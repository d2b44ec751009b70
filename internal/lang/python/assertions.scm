(assert_statement) @assertion
(raise_statement) @assertion
((call function: (_) @f) @assertion (#match? @f "(?i)assert|expect|should|verify|raises|warns|fail|check|must|compare|approve"))
