((call function: (identifier) @f arguments: (argument_list . (_) @value)) @sink (#any-of? @f "eval" "exec"))
