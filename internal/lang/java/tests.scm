((method_declaration (modifiers (marker_annotation name: (_) @mark)) name: (identifier) @name body: (block) @body) @test (#match? @mark "(^|\\.)(Test|ParameterizedTest|RepeatedTest)$"))
((method_declaration (modifiers (annotation name: (_) @mark)) name: (identifier) @name body: (block) @body) @test (#match? @mark "(^|\\.)(Test|ParameterizedTest|RepeatedTest)$"))
