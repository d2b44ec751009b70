(function_definition name: (identifier) @name) @definition
(class_definition name: (identifier) @name) @definition
((class_definition name: (identifier) @name body: (block (function_definition name: (identifier) @own) @definition)) (#eq? @own "__init__"))
(assignment left: (identifier) @name) @variable
