// Package schema holds the published JSON Schemas that the program itself reads by.
package schema

import _ "embed" // the schemas

// Results describes the file in which a shard hands over its results.
//
//go:embed results.schema.json
var Results []byte

// Evidence describes the file in which prove says what came of running approved tests.
//
//go:embed evidence.schema.json
var Evidence []byte
