(class_declaration name: (identifier) @name) @definition
(struct_declaration name: (identifier) @name) @definition
(interface_declaration name: (identifier) @name) @definition
(enum_declaration name: (identifier) @name) @definition
(record_declaration name: (identifier) @name) @definition
(delegate_declaration name: (identifier) @name) @definition
(method_declaration name: (identifier) @name) @definition
(constructor_declaration name: (identifier) @name) @definition
(property_declaration name: (identifier) @name) @definition
(field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @definition
(enum_member_declaration name: (identifier) @name) @definition
