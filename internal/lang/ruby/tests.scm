((call method: (identifier) @name block: (_ body: (_)? @body)) @test (#match? @name "^(it|specify|scenario|example|test)$"))
((method name: (identifier) @name @unique body: (_)? @body) @test (#match? @name "^test_"))
