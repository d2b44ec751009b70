(debugger_statement) @debug
((call_expression function: (_) @f arguments: (arguments . [(identifier) (member_expression)] .)) @debug (#any-of? @f "console.log" "console.debug"))
((call_expression function: (_) @f arguments: (arguments . (string) . [(identifier) (member_expression)] .)) @debug (#any-of? @f "console.log" "console.debug"))
