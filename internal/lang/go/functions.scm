(function_declaration name: (_) @name body: (_) @body) @function
(method_declaration name: (_) @name body: (_) @body) @function
(var_spec name: (_) @name value: (expression_list . (func_literal body: (_) @body) @function))
(func_literal body: (_) @body) @function
(function_declaration name: (_) @name !body) @declared
(method_elem name: (_) @name) @declared
((type_spec name: (_) @name type: (interface_type) @type) @declared (#not-match? @type "\\w\\s*\\("))

((function_declaration name: (_) @own) @constructor (#match? @own "^(?i:new)"))
((function_declaration name: (_) @own body: (block . (statement_list . (expression_statement (call_expression) @call) .))) @neutral (#eq? @own "main") (#not-match? @call "^panic\\(|(?i)not[ _-]?(yet[ _-]?)?implemented|unimplemented"))
((method_declaration receiver: (parameter_list (parameter_declaration name: (_) @self)) body: (block . (statement_list . (return_statement (expression_list . (selector_expression operand: (_) @of) .)) .))) @neutral (#eq? @self @of))
((method_declaration name: (_) @own parameters: (parameter_list . "(" . ")" .) !result) @marker (#match? @own "^[a-z_]"))
(keyed_element value: (literal_element (func_literal) @marker))
