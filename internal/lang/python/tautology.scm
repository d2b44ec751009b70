(assert_statement . "assert" . (true)) @assertion
((assert_statement . "assert" . (comparison_operator . [(integer) (string) (true) (none)] @a . ["==" "is"] . [(integer) (string) (true) (none)] @b .)) @assertion (#eq? @a @b))
((call function: (attribute attribute: (identifier) @f) arguments: (argument_list . (true))) @assertion (#eq? @f "assertTrue"))
((call function: (attribute attribute: (identifier) @f) arguments: (argument_list . [(integer) (string) (true)] @a . [(integer) (string) (true)] @b)) @assertion (#match? @f "^assertEquals?$") (#eq? @a @b))
