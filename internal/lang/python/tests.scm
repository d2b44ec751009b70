((function_definition name: (identifier) @name @unique body: (block) @body) @test (#match? @name "^test"))
