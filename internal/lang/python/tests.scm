((function_definition name: (identifier) @name body: (block) @body) @test (#match? @name "^test"))
