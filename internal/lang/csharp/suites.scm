[(compilation_unit) (namespace_declaration) (file_scoped_namespace_declaration) (declaration_list)] @open
(class_declaration) @suite
((class_declaration (modifier) @m) @bar (#eq? @m "abstract"))
((method_declaration (attribute_list (attribute name: (_) @mark))) @test (#match? @mark "(^|\\.)(Test|TestCase|TestMethod|DataTestMethod|Fact|Theory)(Attribute)?$"))
