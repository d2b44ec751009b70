package sarif

import (
	"slices"
	"unicode"
)

// document declares the fields of a file that are read.
type document struct {
	Version string `json:"version"`
	Runs    []run  `json:"runs"`
}

// run is the output of one tool in one run.
type run struct {
	Tool struct {
		Driver     component   `json:"driver"`
		Extensions []component `json:"extensions"`
	} `json:"tool"`
	Bases     map[string]artifact `json:"originalUriBaseIds"`
	Artifacts []struct {
		Location artifact `json:"location"`
	} `json:"artifacts"`
	Results []finding `json:"results"`
}

// component is a tool, or an extension of one, with its rules.
type component struct {
	Name  string `json:"name"`
	Rules []rule `json:"rules"`
}

// rule has the texts and the level that results may leave out.
type rule struct {
	ID            string          `json:"id"`
	Short         text            `json:"shortDescription"`
	Messages      map[string]text `json:"messageStrings"`
	Configuration struct {
		Level Level `json:"level"`
	} `json:"defaultConfiguration"`
	Properties struct {
		Tags     []string `json:"tags"`
		Severity any      `json:"security-severity"`
	} `json:"properties"`
}

type text struct {
	Text string `json:"text"`
}

// finding is one result.
type finding struct {
	RuleID    string `json:"ruleId"`
	RuleIndex *int   `json:"ruleIndex"`
	Rule      struct {
		ID        string `json:"id"`
		Index     *int   `json:"index"`
		Component struct {
			Index *int `json:"index"`
		} `json:"toolComponent"`
	} `json:"rule"`
	Level   Level  `json:"level"`
	Kind    string `json:"kind"`
	Message struct {
		Text      string   `json:"text"`
		ID        string   `json:"id"`
		Arguments []string `json:"arguments"`
	} `json:"message"`
	Baseline     string `json:"baselineState"`
	Suppressions []struct {
		Status string `json:"status"`
	} `json:"suppressions"`
	Locations []struct {
		Physical physical `json:"physicalLocation"`
	} `json:"locations"`
}

// physical is a place in a file. Lines are from 1, 0 for none.
type physical struct {
	Artifact artifact `json:"artifactLocation"`
	Region   struct {
		Start int `json:"startLine"`
		End   int `json:"endLine"`
	} `json:"region"`
}

// artifact is a file's address, whole, below a base, or by its index among the run's.
type artifact struct {
	URI   string `json:"uri"`
	Base  string `json:"uriBaseId"`
	Index *int   `json:"index"` // among the run's artifacts
}

// security reports whether a rule is marked as GitHub and CodeQL mark those about security.
func (r rule) security() bool {
	return r.Properties.Severity != nil || slices.Contains(r.Properties.Tags, "security")
}

// ruleset finds the rule that a result is of.
type ruleset struct {
	components []component // the driver, then extensions
	byID       map[string]rule
}

// rules lists the rules of a tool and its extensions. Of rules of one id the first counts.
func (r run) rules() ruleset {
	s := ruleset{
		components: append([]component{r.Tool.Driver}, r.Tool.Extensions...),
		byID:       map[string]rule{},
	}
	for _, c := range s.components {
		for _, one := range c.Rules {
			if _, known := s.byID[one.ID]; !known {
				s.byID[one.ID] = one
			}
		}
	}
	return s
}

// of is the rule of a result, a zero one if it is not described. Results name rules by an index
// into the tool's own or an extension's, or by an id; an index beyond the list counts for none.
func (s ruleset) of(f finding) rule {
	component, index := 0, f.RuleIndex
	if f.Rule.Index != nil {
		index = f.Rule.Index
	}
	if c := f.Rule.Component.Index; c != nil {
		component = *c + 1
	}
	if component < 0 || component >= len(s.components) {
		return rule{}
	}
	if rules := s.components[component].Rules; index != nil && *index >= 0 && *index < len(rules) {
		return rules[*index]
	}
	return s.byID[f.ruleID(rule{})]
}

// printable replaces control characters by spaces.
func printable(r rune) rune {
	if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
		return ' '
	}
	return r
}
