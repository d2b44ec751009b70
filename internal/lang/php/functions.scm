[(function_definition name: (_) @name body: (_) @body) (method_declaration name: (_) @name body: (_) @body)] @function
[(anonymous_function body: (_) @body) (arrow_function body: (_) @body)] @callback
(method_declaration name: (_) @name !body) @declared
((interface_declaration name: (_) @name body: (_) @body) @declared (#not-match? @body "\\bfunction\\b"))

((method_declaration name: (_) @own) @constructor (#eq? @own "__construct"))
((method_declaration body: (compound_statement . (return_statement (member_access_expression object: (_) @self)) .)) @neutral (#eq? @self "$this"))

(expression_statement . [(function_call_expression) (member_call_expression) (scoped_call_expression)]) @statement
[(echo_statement) (for_statement) (foreach_statement) (while_statement) (do_statement) (switch_statement) (if_statement) (try_statement)] @statement
