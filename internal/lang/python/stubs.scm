[(block) (expression_statement) (return_statement) (expression_list) (tuple) (parenthesized_expression) (await)] @parts
[(pass_statement) (delete_statement) (raise_statement) (none) (false) (ellipsis)] @idle
(expression_statement . (string) .) @idle
((integer) @idle (#match? @idle "^0+$"))
((float) @idle (#match? @idle "^0*\\.0*$"))
((string) @idle (#match? @idle "^[a-zA-Z]*(\"\"|''|\"\"\"\"\"\"|'''''')$"))
(list . "[" . "]" .) @idle
(dictionary . "{" . "}" .) @idle
((call function: (identifier) @f arguments: (argument_list . "(" . ")" .)) @idle (#any-of? @f "list" "dict" "set" "tuple" "str" "int" "float" "bool" "bytes" "frozenset"))
([(call) (identifier) (attribute)] @idle (#match? @idle "(?i)not[ _-]?(yet[ _-]?)?implemented|unimplemented"))
((expression_statement (assignment left: (_) @l right: (identifier))) @idle (#eq? @l "_"))
[(lambda) (yield) (named_expression) (interpolation)] @work

; What a constructor stores.
((expression_statement (assignment left: (attribute object: (_) @self) right: [(identifier) (attribute object: (identifier))])) @store (#eq? @self "self"))
((expression_statement (assignment left: (attribute object: (_) @self) right: (_) @value)) @store (#eq? @self "self"))
((expression_statement (call function: (_) @f arguments: (argument_list . [(identifier) (keyword_argument value: (identifier))]* .))) @store (#eq? @f "super().__init__"))
