((call_expression function: (_) @f arguments: (argument_list . (_) @value)) @sink (#any-of? @f "template.HTML" "template.JS" "template.HTMLAttr"))
((type_conversion_expression type: (_) @f operand: (_) @value) @sink (#any-of? @f "template.HTML" "template.JS" "template.HTMLAttr"))
