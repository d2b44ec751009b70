((function_call_expression function: (name) @f) @debug (#any-of? @f "dd" "ddd" "dump" "var_dump" "xdebug_break"))
