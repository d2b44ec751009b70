((call_expression function: (_) @f arguments: (arguments . (_) @value)) @sink (#match? @f "^((child_process|cp)\\.)?(exec|execSync)$"))
