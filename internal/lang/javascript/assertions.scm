((call_expression function: (_) @f) @assertion (#match? @f "(?i)expect|assert|should|verify|fail|check|must|throws|reject|^t\\.|equal|match|snapshot"))
((member_expression property: (_) @f) @assertion (#any-of? @f "should" "must"))
(throw_statement) @assertion
