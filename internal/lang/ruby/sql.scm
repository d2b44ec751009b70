((call method: (identifier) @f arguments: (argument_list . (_) @value)) @sink (#match? @f "^(where|execute|exec_query|find_by_sql|select_all|order|having|joins)$"))
