((attribute_item) @a . (attribute_item)* . (function_item) @skip (#match? @a "^#\\[\\s*ignore\\b"))
