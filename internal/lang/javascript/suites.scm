[(program) (expression_statement) (await_expression) (statement_block) (arguments) (arrow_function) (function_expression)] @open
((call_expression function: (_) @f) @suite (#match? @f "^(x|f)?(describe|suite|context)(\\.(skip|only|concurrent|sequential|todo))*$"))
((call_expression function: (_) @f) @test (#match? @f "^(it|test|specify|xit|xtest|fit)(\\.(skip|only|todo|concurrent|failing|fails|sequential))*$"))
