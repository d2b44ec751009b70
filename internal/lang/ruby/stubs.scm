[(body_statement) (block_body) (block) (do_block) (then) (return) (argument_list) (parenthesized_statements)] @parts
[(nil) (false)] @idle
((integer) @idle (#match? @idle "^0+$"))
((float) @idle (#match? @idle "^0*\\.0*$"))
((string) @idle (#match? @idle "^(\"\"|'')$"))
(array . "[" . "]" .) @idle
(hash . "{" . "}" .) @idle
((call method: (identifier) @f !receiver) @idle (#any-of? @f "raise" "fail"))
((identifier) @idle (#any-of? @idle "raise" "fail"))
([(call) (constant) (scope_resolution)] @idle (#match? @idle "(?i)not[ _-]?(yet[ _-]?)?implemented|unimplemented"))
[(lambda) (yield) (assignment) (block) (do_block)] @work

; What a constructor stores.
(assignment left: (instance_variable) right: (identifier)) @store
(assignment left: (instance_variable) right: (_) @value) @store
(call method: (super) arguments: (argument_list . (identifier)* .)) @store
(super) @store
