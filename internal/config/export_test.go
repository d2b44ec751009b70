package config

// TypeNames lists the spellings of artifact types that a config may use as keys.
func TypeNames() []string { return keys(typeNames()) }
