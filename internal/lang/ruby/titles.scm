((call method: (identifier) @word block: (_)) @test (#match? @word "^[xf]?(?:it|its|specify|example|scenario|test)$"))
((call method: (identifier) @word block: (_)) @suite (#match? @word "^[xf]?(?:describe|context|feature)$"))
((method name: (identifier) @name) @test (#match? @name "^test_"))
((class name: (_) @name) @suite)
