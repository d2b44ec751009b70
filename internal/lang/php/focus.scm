((member_call_expression object: (_) @test name: (name) @f) @focus (#eq? @f "only") (#match? @test "^(it|test|describe)\\("))
