((call function: (_) @f) @debug (#any-of? @f "breakpoint" "pdb.set_trace" "ipdb.set_trace" "pudb.set_trace"))
