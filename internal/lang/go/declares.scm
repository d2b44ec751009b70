[(function_declaration name: (identifier) @name) (type_spec name: (_) @name) (type_alias name: (_) @name) (const_spec name: (identifier) @name) (var_spec name: (identifier) @name)]
