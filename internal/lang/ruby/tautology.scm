((call receiver: (call method: (identifier) @e arguments: (argument_list . (true) .)) method: (identifier) @m arguments: (argument_list . (_) @to)) @assertion (#eq? @e "expect") (#eq? @m "to") (#match? @to "^(be|eq|be_truthy|be\\(true\\)|eq\\(true\\)|eq true|be true)$"))
((call method: (identifier) @m arguments: (argument_list . (true))) @assertion (#eq? @m "assert"))
((call method: (identifier) @m arguments: (argument_list . [(integer) (string)] @a . [(integer) (string)] @b)) @assertion (#eq? @m "assert_equal") (#eq? @a @b))
