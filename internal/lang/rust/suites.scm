[(source_file) (declaration_list)] @open
(mod_item) @suite
; What is compiled under another condition than cfg(test) may not run at all.
((attribute_item) @a . (attribute_item)* . [(function_item) (mod_item)] @bar (#match? @a "^#\\[\\s*cfg(_attr)?\\b") (#not-match? @a "^#\\[\\s*cfg\\s*\\(\\s*test\\s*\\)\\s*\\]$"))
