package config

import (
	"github.com/tailscale/hujson"

	"workflow-reviewer/internal/bom"
)

// TypeNames lists the spellings of artifact types that a config may use as keys.
func TypeNames() []string { return keys(typeNames()) }

// PlainJSON is a config as JSON without what only JSONC has; what is no JSON stays.
func PlainJSON(data []byte) []byte {
	plain, err := hujson.Standardize(append(bom.UTF8(data), '\n'))
	if err != nil {
		return data
	}
	return plain
}

// InputDefaults are the inputs with their defaults.
func InputDefaults() map[string]string {
	out := map[string]string{}
	for _, i := range new(Inputs).table() {
		out[i.name] = i.byDefault
	}
	return out
}
