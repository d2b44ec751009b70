(function_definition name: (_) @name body: (_) @body) @function
(assignment left: (_) @name right: (lambda body: (_) @body) @function)
(lambda body: (_) @body) @callback

((class_definition superclasses: (_) @bases) @interface (#match? @bases "\\bProtocol\\b"))
((decorated_definition (decorator) @mark definition: (_) @abstract) (#match? @mark "^@\\s*(\\w+\\.)*(abstract\\w*|overload)\\b"))
((function_definition name: (_) @own) @constructor (#eq? @own "__init__"))
((function_definition name: (_) @own body: (block . (expression_statement (call) @call) .)) @neutral (#eq? @own "main") (#not-match? @call "(?i)not[ _-]?(yet[ _-]?)?implemented|unimplemented"))
((function_definition body: (block . (return_statement (attribute object: (identifier) @self)) .)) @neutral (#eq? @self "self"))

(expression_statement . [(call) (await) (augmented_assignment)]) @statement
(expression_statement . (assignment left: [(attribute) (subscript)])) @statement
[(for_statement) (while_statement) (with_statement)] @statement
((if_statement condition: (call)) @statement)
((if_statement condition: (_) @when consequence: (block (expression_statement (call)))) @statement (#not-match? @when "__name__"))
((if_statement condition: (_) @when consequence: (block . (_) . (_))) @statement (#match? @when "__name__"))
[(try_statement body: (block (expression_statement (call)))) (match_statement)] @statement
