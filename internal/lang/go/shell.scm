((call_expression function: (_) @f arguments: (argument_list . (_) @sh . (_) @c . (_) @value)) @sink (#eq? @f "exec.Command") (#match? @sh "\"(/bin/)?(sh|bash)\"") (#eq? @c "\"-c\""))
((call_expression function: (_) @f arguments: (argument_list . (_) . (_) @sh . (_) @c . (_) @value)) @sink (#eq? @f "exec.CommandContext") (#match? @sh "\"(/bin/)?(sh|bash)\"") (#eq? @c "\"-c\""))
