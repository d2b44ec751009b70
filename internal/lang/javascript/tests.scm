((call_expression function: (_) @name arguments: (arguments . (_) (arrow_function body: (statement_block) @body) .)) @test (#match? @name "^(it|test|specify)(\\.(only|concurrent|serial))?$"))
((call_expression function: (_) @name arguments: (arguments . (_) (function_expression body: (statement_block) @body) .)) @test (#match? @name "^(it|test|specify)(\\.(only|concurrent|serial))?$"))
