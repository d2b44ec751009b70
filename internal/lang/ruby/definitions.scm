(method name: (_) @name) @definition
(singleton_method name: (_) @name) @definition
(class name: (constant) @name) @definition
((class name: (constant) @name body: (body_statement (method name: (identifier) @own) @definition)) (#eq? @own "initialize"))
(module name: (constant) @name) @definition
(assignment left: (constant) @name) @variable
