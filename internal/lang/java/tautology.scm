((method_invocation name: (identifier) @f arguments: (argument_list . (true))) @assertion (#eq? @f "assertTrue"))
((method_invocation name: (identifier) @f arguments: (argument_list . [(decimal_integer_literal) (string_literal)] @a . [(decimal_integer_literal) (string_literal)] @b)) @assertion (#match? @f "^assert(Equals|Same)$") (#eq? @a @b))
