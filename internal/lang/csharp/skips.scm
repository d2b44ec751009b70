((attribute) @skip (#match? @skip "\\bSkip\\s*=|^(\\w+\\.)*(Ignore|Explicit)\\b"))
((class_declaration (attribute_list) @m) @skip (#match? @m "\\b(Ignore|Explicit)\\b"))
((invocation_expression function: (_) @f) @skip (#match? @f "\\b(Skip|Assume)\\b|\\bAssert\\.(Ignore|Inconclusive)$"))
