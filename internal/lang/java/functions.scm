[(method_declaration name: (_) @name body: (_) @body) (constructor_declaration name: (_) @name body: (_) @body) (compact_constructor_declaration name: (_) @name body: (_) @body) (static_initializer (block) @body)] @function
(class_body (block) @function @body)
(variable_declarator name: (_) @name value: (lambda_expression body: (_) @body) @function)
(lambda_expression body: (_) @body) @callback
(method_declaration name: (_) @name !body) @declared
((interface_declaration name: (_) @name body: (_) @body) @declared (#not-match? @body "\\w\\s*\\("))

[(constructor_declaration) (compact_constructor_declaration)] @constructor
(method_declaration parameters: (formal_parameters . "(" . ")" .) body: (block . (return_statement [(identifier) (field_access object: (this))]) .)) @neutral
((method_declaration name: (_) @own body: (block . (expression_statement (method_invocation) @call) .)) @neutral (#eq? @own "main") (#not-match? @call "(?i)not[ _-]?(yet[ _-]?)?implemented|unimplemented"))
(field_declaration declarator: (variable_declarator value: (lambda_expression body: (block)) @marker))
