((member_call_expression name: (name) @f) @skip (#match? @f "^(markTest(Skipped|Incomplete)|skip(On\\w+)?|todo)$"))
((scoped_call_expression name: (name) @f) @skip (#match? @f "^markTest(Skipped|Incomplete)$"))
((attribute) @skip (#match? @skip "^([\\w\\\\]*\\\\)?Requires\\w+"))
((comment) @mark . (method_declaration) @skip (#match? @mark "@requires\\b"))

; All tests of a class: by its attributes, or since its set-up skips.
((class_declaration attributes: (_) @marks) @skip (#match? @marks "\\bRequires\\w+"))
((class_declaration body: (declaration_list (method_declaration name: (name) @own) @setup)) @skip (#match? @own "^setUp(BeforeClass)?$") (#match? @setup "markTestSkipped"))
