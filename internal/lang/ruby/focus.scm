((call method: (identifier) @f block: (_)) @focus (#any-of? @f "fit" "fdescribe" "fcontext" "fspecify" "fexample"))
((call method: (identifier) @m arguments: (argument_list (pair key: (hash_key_symbol) @k value: (true)))) @focus (#any-of? @m "it" "describe" "context" "specify" "example") (#eq? @k "focus"))
((call method: (identifier) @m arguments: (argument_list (simple_symbol) @k)) @focus (#any-of? @m "it" "describe" "context" "specify" "example") (#eq? @k ":focus"))
