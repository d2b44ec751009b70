((call method: (identifier) @f arguments: (argument_list . (string) @value .)) @sink (#any-of? @f "system" "exec" "spawn"))
((subshell) @sink @value)
