((call_expression function: (identifier) @f arguments: (arguments . (_) @value)) @sink (#eq? @f "eval"))
((new_expression constructor: (identifier) @f arguments: (arguments (_) @value .)) @sink (#eq? @f "Function"))
((call_expression function: (_) @f arguments: (arguments . (_) @value)) @sink (#any-of? @f "vm.runInNewContext" "vm.runInThisContext" "vm.runInContext"))
