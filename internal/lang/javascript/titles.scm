((call_expression function: (_) @word arguments: (arguments)) @test (#match? @word "^(?:(?:t|tap|ctx|context)\\.)?[xf]?(?:it|test|specify)\\b") (#not-match? @word "\\beach$"))
((call_expression function: (_) @word arguments: (arguments)) @suite (#match? @word "^[xf]?(?:describe|suite|context)\\b") (#not-match? @word "\\beach$"))
