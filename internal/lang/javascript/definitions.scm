(function_declaration name: (identifier) @name) @definition
(generator_function_declaration name: (identifier) @name) @definition
(function_signature name: (identifier) @name) @definition
(class_declaration name: (_) @name) @definition
(abstract_class_declaration name: (_) @name) @definition
((class_declaration name: (_) @name body: (class_body (method_definition name: (property_identifier) @own) @definition)) (#eq? @own "constructor"))
(interface_declaration name: (type_identifier) @name) @definition
(type_alias_declaration name: (type_identifier) @name) @definition
(enum_declaration name: (identifier) @name) @definition
(method_definition name: (_) @name) @definition
(method_signature name: (_) @name) @variable
(abstract_method_signature name: (_) @name) @definition
(property_signature name: (property_identifier) @name) @variable
(public_field_definition name: (_) @name) @definition
(field_definition property: (_) @name) @definition
(variable_declarator name: (identifier) @name) @variable
