[(program) (namespace_definition) (compound_statement) (declaration_list) (expression_statement) (arguments) (argument) (anonymous_function)] @open
((class_declaration (base_clause) @base) @suite (#match? @base "Test"))
(class_declaration (abstract_modifier)) @bar
((function_call_expression function: (name) @f) @suite (#eq? @f "describe"))
((member_call_expression) @open (#match? @open "^(it|test|describe)\\("))
