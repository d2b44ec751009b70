[(statement_block) (expression_statement) (return_statement) (parenthesized_expression) (await_expression) (non_null_expression)] @parts
[(empty_statement) (throw_statement) (null) (undefined) (false)] @idle
((number) @idle (#match? @idle "^0*\\.?0+n?$"))
([(string) (template_string)] @idle (#match? @idle "^(\"\"|''|``)$"))
(expression_statement . (string) .) @idle
(array . "[" . "]" .) @idle
(object . "{" . "}" .) @idle
(as_expression . [(null) (undefined) (array . "[" . "]" .) (object . "{" . "}" .)]) @idle
(satisfies_expression . [(null) (undefined) (array . "[" . "]" .) (object . "{" . "}" .)]) @idle
(type_assertion [(null) (undefined) (array . "[" . "]" .) (object . "{" . "}" .)] .) @idle
((call_expression function: (_) @f) @idle (#eq? @f "Promise.reject"))
((call_expression function: (_) @f arguments: (arguments . [(null) (undefined) (false) (array . "[" . "]" .) (object . "{" . "}" .)]? .)) @idle (#eq? @f "Promise.resolve"))
((new_expression constructor: (_) @f arguments: (arguments . "(" . ")" .)) @idle (#any-of? @f "Map" "Set" "Array" "Object"))
([(call_expression) (identifier) (member_expression)] @idle (#match? @idle "(?i)not[ _-]?(yet[ _-]?)?implemented|unimplemented"))
[(arrow_function) (function_expression) (await_expression) (yield_expression) (assignment_expression)] @work

; What a constructor stores.
(expression_statement (assignment_expression left: (member_expression object: (this)) right: [(identifier) (member_expression object: (identifier))])) @store
(expression_statement (assignment_expression left: (member_expression object: (this)) right: (_) @value)) @store
(expression_statement (call_expression function: (super) arguments: (arguments . (identifier)* .))) @store
