[(block) (statement_list) (expression_statement) (return_statement) (expression_list) (parenthesized_expression)] @parts
[(nil) (false) (empty_statement)] @idle
((int_literal) @idle (#match? @idle "^0+$"))
((float_literal) @idle (#match? @idle "^0*\\.0*$"))
([(interpreted_string_literal) (raw_string_literal)] @idle (#match? @idle "^(\"\"|``)$"))
(composite_literal body: (literal_value . "{" . "}" .)) @idle
(unary_expression operand: (composite_literal body: (literal_value . "{" . "}" .))) @idle
((call_expression function: (_) @f) @idle (#any-of? @f "panic" "errors.New" "fmt.Errorf" "status.Error" "status.Errorf"))
((call_expression function: (_) @f arguments: (argument_list . (_) .)) @idle (#eq? @f "new"))
([(call_expression) (identifier) (selector_expression)] @idle (#match? @idle "(?i)not[ _-]?(yet[ _-]?)?implemented|unimplemented"))
((assignment_statement left: (_) @l right: (expression_list . (identifier)* .)) @idle (#match? @l "^_(, _)*$"))
(func_literal) @work

; What a constructor stores.
(composite_literal body: (literal_value . [(keyed_element value: (literal_element [(identifier) (nil) (true) (false) (int_literal) (interpreted_string_literal) (selector_expression operand: (identifier)) (composite_literal body: (literal_value . "{" . "}" .))])) (literal_element [(identifier) (selector_expression operand: (identifier))])]* .)) @store
(unary_expression operand: (composite_literal body: (literal_value . [(keyed_element value: (literal_element [(identifier) (nil) (true) (false) (int_literal) (interpreted_string_literal) (selector_expression operand: (identifier)) (composite_literal body: (literal_value . "{" . "}" .))])) (literal_element [(identifier) (selector_expression operand: (identifier))])]* .))) @store
