((identifier) @skip (#match? @skip "^(skip\\w*|xfail|SkipTest|importorskip)$"))
((decorated_definition (decorator) @mark definition: (_) @skip) (#match? @mark "\\b(skip\\w*|xfail|SkipTest|importorskip)\\b"))

; All tests of a module, and of a class whose set-up skips.
((module [(expression_statement) (raise_statement) (if_statement) (try_statement)] @mark) @skip (#match? @mark "(?s)^pytestmark\\b.*(skip|xfail)|\\bpytest\\.(skip|importorskip)\\(|^raise \\w*\\.?SkipTest"))
((class_definition body: (block (function_definition name: (_) @own) @setup)) @skip (#match? @own "^(setUp|setUpClass|setup_method|setup_class)$") (#match? @setup "\\b(skip\\w*|SkipTest)\\b"))
((class_definition body: (block (decorated_definition definition: (function_definition name: (_) @own) @setup))) @skip (#match? @own "^(setUp|setUpClass|setup_method|setup_class)$") (#match? @setup "\\b(skip\\w*|SkipTest)\\b"))
