[(program) (module) (body_statement) (block_body) (do_block) (block)] @open
((class name: (_) @name superclass: (_) @s) @suite (#match? @s "Test"))
((call method: (_) @m block: (_)) @suite (#match? @m "^x?(describe|context)$"))
((call method: (_) @m block: (_)) @test (#match? @m "^(xit|xspecify|xexample|fit|pending|skip)$"))
((method) @bar (#not-has-ancestor? @bar "class"))
