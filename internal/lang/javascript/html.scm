((assignment_expression left: (member_expression property: (_) @p) right: (_) @value) @sink (#any-of? @p "innerHTML" "outerHTML" "srcdoc"))
((call_expression function: (member_expression property: (_) @p) arguments: (arguments . (_) . (_) @value)) @sink (#eq? @p "insertAdjacentHTML"))
((call_expression function: (_) @f arguments: (arguments . (_) @value)) @sink (#any-of? @f "document.write" "document.writeln" "res.send" "res.end"))
((jsx_attribute (property_identifier) @p (jsx_expression (object (pair value: (_) @value)))) @sink (#eq? @p "dangerouslySetInnerHTML"))
