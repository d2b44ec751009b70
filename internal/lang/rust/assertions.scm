((macro_invocation macro: (_) @m) @assertion (#match? @m "(?i)assert|panic|expect|check|matches|snapshot"))
((call_expression function: (_) @f) @assertion (#match? @f "(?i)unwrap|expect|assert|check|verify"))
(try_expression) @assertion
