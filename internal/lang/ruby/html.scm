((call receiver: (_) @value method: (identifier) @m) @sink (#eq? @m "html_safe"))
((call method: (identifier) @f arguments: (argument_list . (_) @value)) @sink (#eq? @f "raw"))
