((type_annotation (predefined_type) @any) (#eq? @any "any"))
