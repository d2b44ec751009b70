; PHPUnit: by the name, by an attribute, by the comment above. Pest: calls.
((method_declaration name: (name) @name body: (compound_statement) @body) @test (#match? @name "^test"))
((method_declaration attributes: (attribute_list (attribute_group (attribute . (_) @mark))) name: (name) @name body: (compound_statement) @body) @test (#match? @mark "(^|\\\\)Test$") (#not-match? @name "^test"))
((comment) @mark . (method_declaration !attributes name: (name) @name body: (compound_statement) @body) @test (#match? @mark "@test\\b") (#not-match? @name "^test"))
((function_call_expression function: (name) @name arguments: (arguments . (_) (argument [(anonymous_function body: (_) @body) (arrow_function body: (_) @body)]) .)) @test (#any-of? @name "it" "test"))
