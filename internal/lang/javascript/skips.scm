((call_expression function: (_) @f) @skip (#match? @f "^x(it|test|specify|describe|suite|context)\\b|^\\w+(\\.\\w+)*\\.(skip|todo)\\b"))
((call_expression arguments: (arguments (object (pair key: (_) @k)))) @skip (#any-of? @k "skip" "todo"))
