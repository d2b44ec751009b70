(source_file) @open
; A file with a build constraint may not run at all.
((source_file (comment) @constraint) @bar (#match? @constraint "^//(go:build| \\+build)"))
