[(import_statement) (import_from_statement module_name: (_) @from)] @import
