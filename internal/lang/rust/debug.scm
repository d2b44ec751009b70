((macro_invocation macro: (identifier) @m) @debug (#eq? @m "dbg"))
