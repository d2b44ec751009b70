[(module) (block) (decorated_definition)] @open
((class_definition name: (identifier) @name superclasses: (_) @bases) @suite (#match? @bases "Test"))

; pytest takes more classes, but none with a constructor; a file of unittest is not for it.
((class_definition name: (identifier) @name) @loose (#match? @name "^Test"))
((module) @strict (#match? @strict "(?m)^\\s*(import|from)\\s+(unittest|django\\.test)\\b") (#not-match? @strict "(?m)^\\s*(import|from)\\s+pytest\\b"))
((class_definition !superclasses body: (block [(function_definition name: (_) @own) (decorated_definition definition: (_ name: (_) @own))])) @bar (#eq? @own "__init__"))
((class_definition superclasses: (_) @bases body: (block [(function_definition name: (_) @own) (decorated_definition definition: (_ name: (_) @own))])) @bar (#eq? @own "__init__") (#not-match? @bases "Test"))
((class_definition body: (block (expression_statement (assignment left: (_) @own)))) @bar (#eq? @own "__test__"))
