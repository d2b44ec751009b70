((call method: (identifier) @f arguments: (argument_list . (_) @value)) @sink (#any-of? @f "eval" "instance_eval" "class_eval"))
