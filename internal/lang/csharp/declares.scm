[(class_declaration name: (_) @name) (interface_declaration name: (_) @name) (enum_declaration name: (_) @name) (record_declaration name: (_) @name) (struct_declaration name: (_) @name)]
