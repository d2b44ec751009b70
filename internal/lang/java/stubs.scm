[(block) (constructor_body) (expression_statement) (return_statement) (parenthesized_expression)] @parts
[(throw_statement) (null_literal) (false)] @idle
([(decimal_integer_literal) (decimal_floating_point_literal)] @idle (#match? @idle "^0*\\.?0+[lLfFdD]?$"))
((string_literal) @idle (#eq? @idle "\"\""))
(cast_expression value: [(null_literal) (decimal_integer_literal)]) @idle
((array_creation_expression) @idle (#match? @idle "\\[0\\]$|\\[\\]\\s*\\{\\s*\\}$"))
(array_initializer . "{" . "}" .) @idle
((object_creation_expression type: (_) @type arguments: (argument_list . "(" . ")" .) .) @idle (#match? @type "^([\\w.]+\\.)?(Array|Linked|Hash|Tree|Sorted)?(List|Map|Set)(<.*>)?$"))
((method_invocation name: (_) @f arguments: (argument_list . "(" . ")" .)) @idle (#any-of? @f "empty" "emptyList" "emptyMap" "emptySet"))
((method_invocation object: (_) @on name: (_) @f arguments: (argument_list . "(" . ")" .)) @idle (#any-of? @on "List" "Map" "Set") (#eq? @f "of"))
([(method_invocation) (identifier)] @idle (#match? @idle "(?i)not[ _-]?(yet[ _-]?)?implemented|unimplemented"))
[(lambda_expression) (assignment_expression) (class_body)] @work

; What a constructor stores.
(expression_statement (assignment_expression left: [(field_access object: (this)) (identifier)] right: [(identifier) (field_access object: (identifier))])) @store
(expression_statement (assignment_expression left: [(field_access object: (this)) (identifier)] right: (_) @value)) @store
(explicit_constructor_invocation arguments: (argument_list . (identifier)* .)) @store
