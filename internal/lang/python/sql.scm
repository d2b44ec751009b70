((call function: (attribute attribute: (identifier) @f) arguments: (argument_list . (_) @value)) @sink (#match? @f "^(execute|executemany|executescript|raw|text|query)$"))
