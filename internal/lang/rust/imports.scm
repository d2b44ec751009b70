[(use_declaration) (mod_item !body)] @import
