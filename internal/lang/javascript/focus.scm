((call_expression function: (_) @f) @focus (#match? @f "^(it|test|describe|context|suite|specify)(\\.\\w+)*\\.only$|^(fit|fdescribe|fcontext)$"))
