package codextest

import (
	"encoding/json"
	"maps"
	"regexp"
	"strings"
)

// Review is a final answer of a review. Unless it says something of them, it has an entry for each
// requirement and each finding of a check that the request asks about: met, at the first line of
// the artifact, and refuted. Criteria without an id stand for all that the request asks to grade,
// and issues without a trigger have none.
func Review(answer map[string]any) Response {
	return Response{items: []item{func(req Request) map[string]any {
		full := maps.Clone(answer)
		graded(full, Enumerated(req, "criteria"))
		triggered(full)
		resolved(full, req)
		fill := func(name string, entry map[string]any) {
			ids := Enumerated(req, name)
			if _, said := answer[name]; said || len(ids) == 0 {
				return
			}
			list := []any{}
			for _, id := range ids {
				e := maps.Clone(entry)
				e["id"], e["reason"] = id, "It says so."
				list = append(list, e)
			}
			full[name] = list
		}
		fill("requirements", map[string]any{"status": "met", "file": firstFile(req), "line": 1})
		if refutable.Match(req.Schema) {
			fill("questions", map[string]any{"answer": "refuted"})
		}
		b, err := json.Marshal(full)
		if err != nil {
			panic(err)
		}
		return message("output_text", "text", string(b))(req)
	}}}
}

// graded replaces criteria without an id by one entry for each id, which says what the first of
// them does.
func graded(answer map[string]any, ids []string) {
	given := entries(answer["criteria"])
	if len(given) == 0 || given[0]["id"] != nil {
		return
	}
	list := []any{}
	for _, id := range ids {
		entry := maps.Clone(given[0])
		delete(entry, "name")
		entry["id"] = id
		list = append(list, entry)
	}
	answer["criteria"] = list
}

// resolved has an approval that says nothing of earlier findings call the High ones resolved.
func resolved(answer map[string]any, req Request) {
	if answer["decision"] != "APPROVED" || len(entries(answer["previous_findings"])) > 0 {
		return
	}
	list := []any{}
	_, earlier, _ := strings.Cut(req.Prompt, "\n## Earlier reviews of this artifact\n")
	earlier, _, _ = strings.Cut(earlier, "\n## ")
	for _, m := range earlierHigh.FindAllStringSubmatch(earlier, -1) {
		list = append(list, map[string]any{"title": m[1], "resolved": true, "note": "It is fixed."})
	}
	answer["previous_findings"] = list
}

func triggered(answer map[string]any) {
	list := []any{}
	for _, issue := range entries(answer["issues"]) {
		issue = maps.Clone(issue)
		if issue["trigger"] == nil {
			issue["trigger"] = ""
		}
		list = append(list, issue)
	}
	if answer["issues"] != nil {
		answer["issues"] = list
	}
}

// entries are the objects of a list, however a test wrote it.
func entries(list any) []map[string]any {
	b, err := json.Marshal(list)
	var out []map[string]any
	if err != nil || json.Unmarshal(b, &out) != nil {
		return nil
	}
	return out
}

var (
	earlierHigh = regexp.MustCompile(`(?m)^- High: (.*?)(?: \([^()]*\))?$`)
	refutable   = regexp.MustCompile(`"refuted"`)
	artifact    = regexp.MustCompile(`(?s)\n## Artifact under review\n.*?\n### ([^\n]+)\n`)
	codeFile    = regexp.MustCompile(`\n### ([^\n ]+\.(?:py|go|ts|js|rb|rs|java|cs))\n`)
)

// firstFile is the first code of the artifact that a request shows.
func firstFile(req Request) string {
	at := artifact.FindStringSubmatchIndex(req.Prompt)
	if at == nil {
		return ""
	}
	if m := codeFile.FindStringSubmatch(req.Prompt[at[0]:]); m != nil {
		return m[1]
	}
	return req.Prompt[at[2]:at[3]]
}

// Enumerated are the ids that a request's schema lists for the entries of a name.
func Enumerated(req Request, name string) []string {
	var schema struct {
		Properties map[string]struct {
			Items struct {
				Properties struct {
					ID struct {
						Enum []string `json:"enum"`
					} `json:"id"`
				} `json:"properties"`
			} `json:"items"`
		} `json:"properties"`
	}
	if json.Unmarshal(req.Schema, &schema) != nil {
		return nil
	}
	return schema.Properties[name].Items.Properties.ID.Enum
}
