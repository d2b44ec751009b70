((call function: (_) @f arguments: (argument_list . (_) @value)) @sink (#match? @f "^(mark_safe|Markup|markupsafe\\.Markup|HttpResponse|render_template_string)$"))
