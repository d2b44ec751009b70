package workflow

// Bundle is what was found of a spec that is a folder of documents: brief,
// requirements, decisions and epics. Its texts are hostile.
type Bundle struct {
	Folder     string `json:"folder"`
	Session    string `json:"session"` // the id in spec-config.json, "" for none
	Topic      string `json:"topic"`
	Complexity string `json:"complexity"`

	Documents  []BundleDocument  `json:"documents"`  // what a bundle consists of, in its order
	Dimensions []BundleDimension `json:"dimensions"` // each a quarter of the score
	Score      float64           `json:"score"`      // from 0 to 100
	Chain      Chain             `json:"chain"`
}

// BundleDocument is one document of a bundle, or one kind of them.
type BundleDocument struct {
	Name  string `json:"name"`
	Count int    `json:"count"` // 0 if it is missing
}

// BundleDimension is one part of the score.
type BundleDimension struct {
	Name   string   `json:"name"`
	Score  float64  `json:"score"`            // from 0 to 100
	Issues []string `json:"issues,omitempty"` // why it is not 100
}

// Chain is what leads from the brief's goals to what can be tested, by the ids that the documents
// name.
type Chain struct {
	Stages       []ChainStage       `json:"stages"`
	Requirements []ChainRequirement `json:"requirements"`
	Gaps         []ChainGap         `json:"gaps,omitempty"`
}

// ChainStage is how much of one kind of document has a link to another.
type ChainStage struct {
	Name    string `json:"name"`
	Covered int    `json:"covered"`
	Of      int    `json:"of"`
}

// ChainRequirement is one requirement with what it comes from and what becomes of it.
type ChainRequirement struct {
	ID        string   `json:"id"`
	Title     string   `json:"title"`
	Goals     []string `json:"goals"`     // ids, or the brief's name where it is named as a whole
	Decisions []string `json:"decisions"` // ids
	Stories   []string `json:"stories"`   // ids of epics
	Criteria  int      `json:"criteria"`  // acceptance criteria
	Excluded  bool     `json:"excluded,omitempty"`
}

// ChainGap is a link that is missing, or that leads nowhere.
type ChainGap struct {
	// what the ids lack, as the beginning of a sentence that ends with them
	Kind     string   `json:"kind"`
	IDs      []string `json:"ids"`
	File     string   `json:"file"`               // of the first, or that names what is not there
	Dangling bool     `json:"dangling,omitempty"` // the ids have no document in the bundle
}

// The gates of a spec's quality score.
const (
	GatePass   = "PASS"
	GateReview = "REVIEW"
	GateFail   = "FAIL"
)

// ScoreGate is the gate of a score from 0 to 100.
func ScoreGate(score float64) string {
	switch {
	case score >= ScorePass:
		return GatePass
	case score >= ScoreReview:
		return GateReview
	default:
		return GateFail
	}
}
