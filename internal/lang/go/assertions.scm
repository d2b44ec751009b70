((call_expression function: (_) @f) @assertion (#match? @f "(?i)assert|require|expect|should|must|check|fatal|error|fail|equal|^(is|qt|gt|cmp)\\."))
((call_expression arguments: (argument_list (identifier) @t)) @assertion (#any-of? @t "t" "tt" "tb"))
