[(method_declaration name: (_) @name body: (_) @body) (constructor_declaration name: (_) @name body: (_) @body) (destructor_declaration name: (_) @name body: (_) @body) (operator_declaration body: (_) @body) (conversion_operator_declaration body: (_) @body) (local_function_statement name: (_) @name body: (_) @body) (accessor_declaration name: _ @name body: (_) @body)] @function
(property_declaration name: (_) @name value: (arrow_expression_clause) @body) @function
(indexer_declaration value: (arrow_expression_clause) @body) @function
(variable_declarator name: (_) @name [(lambda_expression body: (_) @body) (anonymous_method_expression (block) @body)] @function)
[(lambda_expression body: (_) @body) (anonymous_method_expression (block) @body)] @callback
(method_declaration name: (_) @name !body) @declared
((interface_declaration name: (_) @name body: (_) @body) @declared (#not-match? @body "\\w\\s*\\("))

[(constructor_declaration) (destructor_declaration)] @constructor
((accessor_declaration name: _ @own) @constructor (#not-match? @own "^get"))
((accessor_declaration body: (block . (return_statement (_) @field) .)) @neutral (#match? @field "^(this\\.)?[A-Za-z_]\\w*$") (#not-any-of? @field "default" "null" "false"))
((property_declaration value: (arrow_expression_clause (_) @field)) @neutral (#match? @field "^(this\\.)?[A-Za-z_]\\w*$") (#not-any-of? @field "default" "null" "false"))
((method_declaration name: (_) @own body: (block . (expression_statement (invocation_expression) @call) .)) @neutral (#eq? @own "Main") (#not-match? @call "(?i)not[ _-]?(yet[ _-]?)?implemented|unimplemented"))
(field_declaration (variable_declaration (variable_declarator [(lambda_expression body: (block)) (anonymous_method_expression)] @marker)))

(global_statement . [(expression_statement) (if_statement) (for_statement) (foreach_statement) (while_statement) (do_statement) (using_statement) (try_statement) (switch_statement) (local_declaration_statement) (return_statement)]) @statement
