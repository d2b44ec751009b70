((invocation_expression function: (member_access_expression expression: (_) @o name: (_) @m) arguments: (argument_list . (argument (_) @value))) @sink (#eq? @o "Html") (#eq? @m "Raw"))
