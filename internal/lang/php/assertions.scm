([(member_call_expression name: (_) @f) (scoped_call_expression name: (_) @f) (function_call_expression function: (_) @f)] @assertion (#match? @f "(?i)assert|expect|verify|should|fail|throws"))
(throw_expression) @assertion
