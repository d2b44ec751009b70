((call_expression function: (selector_expression field: (_) @f) arguments: (argument_list (_) @value)) @sink (#match? @f "^(Query|QueryRow|Exec|Prepare|Raw|Select|Get)(Context)?$"))
