[(function_declaration name: (_) @name body: (_) @body) (generator_function_declaration name: (_) @name body: (_) @body) (method_definition name: (_) @name body: (_) @body) (class_static_block body: (_) @body)] @function
(variable_declarator name: (_) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)] @function)
(assignment_expression left: (_) @name right: [(arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)] @function)
(pair key: (_) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)] @function)
(public_field_definition name: (_) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)] @function)
(field_definition property: (_) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)] @function)
[(arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)] @function
[(function_signature name: (_) @name) (method_signature name: (_) @name) (abstract_method_signature name: (_) @name)] @declared
((interface_declaration name: (_) @name body: (_) @body) @declared (#not-match? @body "^\\{[^{}]*\\w\\??(<[^<>]*>)?\\(|\\n\\s*\\w+\\??(<[^<>]*>)?\\("))

((method_definition name: (_) @own) @constructor (#eq? @own "constructor"))
((method_definition body: (statement_block . (return_statement (member_expression object: (this))) .)) @neutral)
((function_declaration name: (_) @own body: (statement_block . (expression_statement [(call_expression) (await_expression (call_expression))] @call) .)) @neutral (#eq? @own "main") (#not-match? @call "(?i)not[ _-]?(yet[ _-]?)?implemented|unimplemented"))
(pair value: [(arrow_function body: (statement_block)) (function_expression)] @marker)
(public_field_definition value: [(arrow_function body: (statement_block)) (function_expression)] @marker)
(field_definition value: [(arrow_function body: (statement_block)) (function_expression)] @marker)

(expression_statement . [(call_expression) (await_expression) (new_expression) (augmented_assignment_expression) (update_expression)]) @statement
((expression_statement . (assignment_expression left: (member_expression object: (_) @of))) @statement (#not-match? @of "^(module|exports|module\\.exports)$|\\.prototype$"))
[(for_statement) (for_in_statement) (while_statement) (do_statement) (switch_statement)] @statement
[(if_statement consequence: (statement_block (expression_statement [(call_expression) (await_expression) (new_expression)]))) (if_statement consequence: (expression_statement (call_expression))) (try_statement body: (statement_block (expression_statement [(call_expression) (await_expression) (new_expression)])))] @statement
