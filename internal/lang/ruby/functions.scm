[(method name: (_) @name body: (_)? @body) (singleton_method name: (_) @name body: (_)? @body)] @function
(assignment left: (_) @name right: (lambda body: (_) @body) @function)
(lambda body: (_) @body) @callback
((call block: [(block body: (_) @body) (do_block body: (_) @body)] @function) (#not-match? @body "\\bdef\\s"))
(call block: [(block !body) (do_block !body)] @function)

((method name: (_) @own) @constructor (#eq? @own "initialize"))
(method body: (body_statement . (instance_variable) .)) @neutral
((method name: (_) @own body: (body_statement . (call) @call .)) @neutral (#eq? @own "main") (#not-match? @call "^(raise|fail)\\b|(?i)not[ _-]?(yet[ _-]?)?implemented|unimplemented"))

((call method: (_) @f) @statement (#not-match? @f "^(require|require_relative|load|autoload|include|extend|using|private_constant)$"))
[(for) (while) (until) (case) (begin)] @statement
[(if consequence: (then (call))) (unless consequence: (then (call)))] @statement
