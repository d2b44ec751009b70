([(identifier) (simple_symbol) (hash_key_symbol)] @skip (#match? @skip "^:?(skip|pending|x(it|specify|example))$"))
((call method: (_) @m) @skip (#match? @m "^x(describe|context)$"))
((call method: (_) @m arguments: (argument_list [(simple_symbol) (pair)] @a)) @skip (#match? @m "^(describe|context)$") (#match? @a "^:?(skip|pending)\\b"))
