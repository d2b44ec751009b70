package action

import (
	"slices"

	"workflow-reviewer/internal/record"
)

// readable gives reviews of other tools and of former versions the features that
// their names mean: an approval named login-mcp is one of login.
func readable(records []record.Record, stem func(string) string) []record.Record {
	records = slices.Clone(records)
	for i, r := range records {
		if r.Legacy && r.Feature != "" {
			records[i].Feature = stem(r.Feature)
		}
	}
	return records
}
