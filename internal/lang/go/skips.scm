((call_expression function: (selector_expression field: (_) @f)) @skip (#any-of? @f "Skip" "Skipf" "SkipNow"))
