(function_item name: (_) @name body: (_) @body) @function
(let_declaration pattern: (_) @name value: (closure_expression body: (_) @body) @function)
(closure_expression body: (_) @body) @callback
(function_signature_item name: (_) @name) @declared
((trait_item name: (_) @name body: (_) @body) @declared (#not-match? @body "\\bfn\\s"))

((function_item name: (_) @own) @constructor (#eq? @own "new"))
(function_item body: (block . [(field_expression value: (self)) (reference_expression value: (field_expression value: (self)))] .)) @neutral
((function_item name: (_) @own body: (block . [(call_expression) (macro_invocation) (expression_statement [(call_expression) (macro_invocation)])] @call .)) @neutral (#eq? @own "main") (#not-match? @call "^(todo|panic|unimplemented|unreachable)!|(?i)not[ _-]?(yet[ _-]?)?implemented|unimplemented"))
(function_item parameters: (parameters . (self_parameter) .) !return_type) @marker

; What is compiled for tests only.
((attribute_item) @mark . (attribute_item)* . [(function_item) (mod_item)] @tests (#match? @mark "^#\\[\\s*((\\w+::)*test\\b|cfg\\((all\\()?test[,)])"))
