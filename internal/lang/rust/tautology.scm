((macro_invocation macro: (identifier) @m (token_tree . "(" . (boolean_literal) @v . ")" .)) @assertion (#eq? @m "assert") (#eq? @v "true"))
((macro_invocation macro: (identifier) @m (token_tree . "(" . [(integer_literal) (string_literal) (boolean_literal)] @a . "," . [(integer_literal) (string_literal) (boolean_literal)] @b . ")" .)) @assertion (#eq? @m "assert_eq") (#eq? @a @b))
