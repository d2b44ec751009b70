[(compound_statement) (expression_statement) (return_statement) (parenthesized_expression)] @parts
[(null) (empty_statement) (throw_expression)] @idle
((boolean) @idle (#match? @idle "^(?i:false)$"))
([(integer) (float)] @idle (#match? @idle "^0*\\.?0+$"))
([(string) (encapsed_string)] @idle (#match? @idle "^(''|\"\")$"))
(array_creation_expression . "[" . "]" .) @idle
[(anonymous_function) (arrow_function) (assignment_expression) (yield_expression)] @work

; What a constructor stores.
((expression_statement (assignment_expression left: (member_access_expression object: (_) @self) right: (variable_name))) @store (#eq? @self "$this"))
((expression_statement (assignment_expression left: (member_access_expression object: (_) @self) right: (_) @value)) @store (#eq? @self "$this"))
((expression_statement (scoped_call_expression name: (_) @f arguments: (arguments . (argument (variable_name))* .))) @store (#eq? @f "__construct"))
