((attribute_item (attribute) @mark) . (attribute_item)* . (function_item name: (identifier) @name body: (block) @body) @test (#match? @mark "^(\\w+::)*test\\b|^(rstest|test_case)\\b"))
