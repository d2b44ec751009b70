((identifier) @debug (#any-of? @debug "byebug"))
((call receiver: (identifier) @r method: (identifier) @m) @debug (#eq? @r "binding") (#any-of? @m "pry" "irb" "break"))
