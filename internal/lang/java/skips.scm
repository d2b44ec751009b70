([(class_declaration (modifiers) @m) (method_declaration (modifiers) @m)] @skip (#match? @m "@([\\w.]+\\.)?(Disabled\\w*|Ignore|Enabled\\w*)\\b|\\benabled\\s*=\\s*false"))
((identifier) @skip (#match? @skip "^(assume\\w*|Assume|Assumptions)$"))
