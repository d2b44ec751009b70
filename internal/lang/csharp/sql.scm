((object_creation_expression type: (_) @t arguments: (argument_list . (argument (_) @value))) @sink (#match? @t "^(Sql|MySql|Npgsql|Sqlite|Oracle)Command$"))
((invocation_expression function: (member_access_expression name: (_) @m) arguments: (argument_list . (argument (_) @value))) @sink (#match? @m "^(ExecuteSqlRaw|ExecuteSqlRawAsync|FromSqlRaw|Query|QueryAsync|Execute|ExecuteAsync)(<.*>)?$"))
((assignment_expression left: (member_access_expression name: (_) @p) right: (_) @value) @sink (#eq? @p "CommandText"))
