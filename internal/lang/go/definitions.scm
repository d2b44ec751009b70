(function_declaration name: (identifier) @name) @definition
(method_declaration name: (field_identifier) @name) @definition
(method_elem name: (field_identifier) @name) @definition
(type_spec name: (type_identifier) @name) @definition
(type_alias name: (type_identifier) @name) @definition
(field_declaration name: (field_identifier) @name) @variable
(const_spec name: (identifier) @name) @variable
(var_spec name: (identifier) @name) @variable
