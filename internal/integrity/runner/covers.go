package runner

import (
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// covers reports whether a glob matches whatever another does: it is tried on
// texts that stand for it, which have names that no pattern names.
func covers(wide, narrow string) bool {
	if strings.HasPrefix(narrow, strings.TrimSuffix(wide, "/")+"/") && !strings.ContainsAny(wide, "*?[{(") {
		return true // a folder and what is in it
	}
	if strings.ContainsAny(wide, `({[\^$|+`) || strings.ContainsAny(narrow, `({[\^$|+`) {
		return false
	}
	for _, folders := range []string{"", "\u2042/", "\u2042/\u2043/"} {
		sample := strings.ReplaceAll(narrow, "**/", folders)
		sample = strings.NewReplacer("**", "\u2042/\u2043", "*", "\u2042", "?", "\u2042").Replace(sample)
		if ok, err := doublestar.Match(wide, sample); err != nil || !ok {
			return false
		}
	}
	return true
}
