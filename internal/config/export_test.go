package config

import "workflow-reviewer/internal/bom"

// TypeNames lists the spellings of artifact types that a config may use as keys.
func TypeNames() []string { return keys(typeNames()) }

// PlainJSON is a config as JSON without what only JSONC has.
func PlainJSON(data []byte) []byte { return WithoutComments(bom.UTF8(data)) }
