package runner

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
)

// installCommands are those of the closed list that install what tests run with,
// or start what they talk to. Tests without it may be skipped and pass, so such a
// command may come and ask for more or for other versions, but for no less.
var installCommands = inertBy(func(reason string) bool {
	return strings.HasPrefix(reason, "installation") || strings.HasPrefix(reason, "containers")
})

var (
	starter   = lazyregexp.New(`^(?:sudo |python3? -m )*`)
	asVersion = lazyregexp.New(`[~<>=!^].*|^v?\d[\w.*-]*$`)
	synonyms  = map[string]string{"pip3": "pip", "i": "install", "ci": "install"}
	tooling   = []string{"pip", "setuptools", "wheel"} // may come and go
)

// installation is what a command installs, without versions and flags that make
// no difference; strict are the flags that it must have, and no others.
type installation struct {
	words  []string // sorted
	strict []string // sorted
}

// installation of a command that is on the list, nil of any other.
func (c command) installation() *installation {
	joined := strings.Join(texts(c.words), " ")
	if !slices.ContainsFunc(installCommands, func(re *lazyregexp.Regexp) bool { return re.MatchString(joined) }) {
		return nil
	}
	var out installation
	onlyTooling := false
	for i, w := range strings.Fields(starter.ReplaceAllString(joined, "")) {
		if s, ok := synonyms[w]; ok && i < 2 {
			w = s
		}
		name := w
		if at := strings.LastIndexByte(w, '@'); at > 0 {
			name = w[:at]
		}
		name = asVersion.ReplaceAllString(name, "")
		isFlag, isTooling := w[0] == '-', i > 1 && slices.Contains(tooling, name)
		switch {
		case isFlag && knownValues["installmore"].MatchString(w), name != "" && !isFlag && !isTooling:
			name, extras, more := strings.Cut(name, "[")
			out.words = append(out.words, name)
			if more {
				out.words = append(out.words, strings.Split("["+strings.Trim(extras, "]"), ",")...)
			}
		case isFlag && !knownValues["installflags"].MatchString(w):
			out.strict = append(out.strict, w)
		case isTooling:
			onlyTooling = true
		}
	}
	if len(out.words) <= 2 && (onlyTooling || slices.Contains(out.words, "update")) {
		return nil
	}
	slices.Sort(out.words)
	slices.Sort(out.strict)
	return &out
}

// covers reports whether all is installed that another command installs.
func (n *installation) covers(o *installation) bool {
	rest := slices.Clone(n.words)
	for _, w := range o.words {
		i := slices.Index(rest, w)
		if i < 0 {
			return false
		}
		rest = slices.Delete(rest, i, i+1)
	}
	return slices.Equal(n.strict, o.strict)
}

// kept is an inert command of a script as one that must stay: the installation
// beside it that it covers, the largest. nil if it may come and go.
func (c command) kept(beside script) *command {
	is := c.installation()
	if is == nil {
		return nil
	}
	var best *installation
	for _, o := range beside {
		if was := o.installation(); was != nil && is.covers(was) && (best == nil || len(was.words) > len(best.words)) {
			best = was
		}
	}
	config := slices.Contains(is.words, "config") && (slices.Contains(is.words, "without") || slices.Contains(is.words, "only"))
	if best == nil && len(is.strict) == 0 && !config {
		return nil
	}
	if best == nil {
		best = is
	}
	c.text = strings.Join(append(best.words, best.strict...), " ")
	return &c
}
