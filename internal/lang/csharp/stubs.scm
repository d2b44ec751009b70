[(block) (arrow_expression_clause) (expression_statement) (return_statement) (parenthesized_expression) (postfix_unary_expression) (await_expression) (tuple_expression)] @parts
[(empty_statement) (throw_statement) (throw_expression) (null_literal) (default_expression)] @idle
((boolean_literal) @idle (#eq? @idle "false"))
([(integer_literal) (real_literal)] @idle (#match? @idle "^0*\\.?0+[uUlLfFdDmM]*$"))
([(string_literal) (verbatim_string_literal)] @idle (#match? @idle "^@?\"\"$"))
((member_access_expression) @idle (#any-of? @idle "string.Empty" "String.Empty" "Task.CompletedTask" "ValueTask.CompletedTask"))
(cast_expression value: [(null_literal) (integer_literal)]) @idle
((array_creation_expression) @idle (#match? @idle "\\[0\\]$|\\[\\]\\s*\\{\\s*\\}$"))
(collection_expression . "[" . "]" .) @idle
((object_creation_expression type: (_) @type arguments: (argument_list . "(" . ")" .) .) @idle (#match? @type "^([\\w.]+\\.)?(Linked|Hash|Sorted)?(List|Set|Dictionary)(<.*>)?$"))
((object_creation_expression type: (_) @type initializer: (initializer_expression . "{" . "}" .)) @idle (#match? @type "^([\\w.]+\\.)?(Linked|Hash|Sorted)?(List|Set|Dictionary)(<.*>)?$"))
((invocation_expression function: (_) @f arguments: (argument_list . "(" . ")" .)) @idle (#match? @f "\\.Empty(<.*>)?$"))
((invocation_expression function: (_) @f arguments: (argument_list . (argument [(null_literal) (integer_literal) (boolean_literal) (default_expression)]) .)) @idle (#match? @f "^(Value)?Task\\.FromResult(<.*>)?$"))
((invocation_expression function: (_) @f) @idle (#match? @f "^Task\\.FromException(<.*>)?$"))
([(invocation_expression) (identifier)] @idle (#match? @idle "(?i)not[ _-]?(yet[ _-]?)?implemented|unimplemented"))
[(lambda_expression) (anonymous_method_expression) (assignment_expression)] @work

; What a constructor stores.
((expression_statement (assignment_expression left: [(member_access_expression) (identifier)] @left right: [(identifier) (member_access_expression expression: (identifier))])) @store (#match? @left "^(this\\.)?\\w+$"))
((expression_statement (assignment_expression left: [(member_access_expression) (identifier)] @left right: (_) @value)) @store (#match? @left "^(this\\.)?\\w+$"))
