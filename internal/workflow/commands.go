package workflow

// Commands is the word that the commands of comments stand behind, "" for none. It names them as
// people write them.
type Commands string

// The commands by their names.
const (
	CommandReview   = "review"
	CommandOverride = "override"
	CommandDismiss  = "dismiss"
	CommandTestBug  = "test-bug"
)

// Of is a command as it is written: "/review", or "/wr review" behind the word "/wr".
func (c Commands) Of(name string) string {
	if c == "" {
		return "/" + name
	}
	return string(c) + " " + name
}
