[(import_statement) (export_statement source: (_))] @import
