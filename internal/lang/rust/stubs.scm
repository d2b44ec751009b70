[(block) (expression_statement) (return_expression) (parenthesized_expression) (tuple_expression) (await_expression)] @parts
[(unit_expression) (empty_statement)] @idle
((boolean_literal) @idle (#eq? @idle "false"))
([(integer_literal) (float_literal)] @idle (#match? @idle "^0*\\.?0+_?([iuf](8|16|32|64|128|size))?$"))
((string_literal) @idle (#match? @idle "^b?\"\"$"))
((identifier) @idle (#eq? @idle "None"))
(array_expression . "[" . "]" .) @idle
((macro_invocation macro: (_) @m) @idle (#match? @m "^(\\w+::)*(todo|unimplemented|panic|unreachable)$"))
((macro_invocation macro: (_) @m (token_tree) @of) @idle (#eq? @m "vec") (#match? @of "^.\\s*.$"))
((call_expression function: (_) @f) @idle (#eq? @f "Err"))
((call_expression function: (_) @f arguments: (arguments . (_) @value .)) @idle (#eq? @f "Ok"))
((call_expression function: (_) @f arguments: (arguments . "(" . ")" .)) @idle (#match? @f "::(new|default|empty)$"))
([(call_expression) (identifier) (scoped_identifier)] @idle (#match? @idle "(?i)not[ _-]?(yet[ _-]?)?implemented|unimplemented"))
((let_declaration pattern: (_) @l value: [(identifier) (self)]) @idle (#eq? @l "_"))
((let_declaration value: [(identifier) (self)]) @idle (#match? @idle "^let _ ="))
[(closure_expression) (await_expression) (yield_expression) (assignment_expression)] @work

; What a constructor stores.
(struct_expression body: (field_initializer_list . [(shorthand_field_initializer) (field_initializer value: [(identifier) (field_expression value: (identifier)) (integer_literal) (boolean_literal)])]* .)) @store
