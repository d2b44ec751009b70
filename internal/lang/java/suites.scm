[(program) (class_body)] @open
((class_declaration) @suite (#not-has-ancestor? @suite "class_declaration" "interface_declaration" "enum_declaration" "record_declaration"))
((class_declaration (modifiers) @m) @suite (#match? @m "@Nested\\b"))
((class_declaration (modifiers) @m) @bar (#match? @m "\\babstract\\b"))
((method_declaration (modifiers (_ name: (_) @mark))) @test (#match? @mark "(^|\\.)(Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate)$"))
