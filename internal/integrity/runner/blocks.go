package runner

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
)

// parseBlocks reads a build script of a language that has no grammar here, or a helper of a Ruby runner, as
// nested blocks of statements: in braces, between do and end, or indented. A block is a key, a statement in it
// a key with its arguments as values: test/useJUnitPlatform, minimum = 0.8. Nothing is left out but comments,
// layout and the kind of quotes.
func parseBlocks(src []byte) (options, error) {
	var b builder
	type open struct {
		key  []string
		seen map[string]int
	}
	stack := []open{{seen: map[string]int{}}}
	comment, nested := false, false
	for i, raw := range lines(src) {
		text := strings.TrimSpace(raw)
		if comment || strings.HasPrefix(text, "/*") {
			comment = !strings.Contains(text, "*/")
			continue
		}
		if text == "" || strings.HasPrefix(text, "//") || text[0] == '#' {
			continue
		}
		for _, part := range statementsIn(strings.ReplaceAll(strings.Join(strings.Fields(text), " "), `"`, `'`)) {
			closes := ends.MatchString(part)
			if closes {
				if stack = stack[:len(stack)-1]; len(stack) == 0 {
					return b.out, errors.New("it closes more blocks than it opens")
				}
				part = strings.TrimSpace(ends.ReplaceAllString(part, ""))
			}
			top := &stack[len(stack)-1]
			head, opens := blockHead(part)
			switch {
			case closes && part == "":
			case closes && !strings.HasSuffix(part, "{"):
				b.add(append(slices.Clone(top.key), "a statement"), i+1, value{text: part, line: i + 1})
			case opens && len(stack) < maxDepth:
				label := blockName(head)
				if top.seen[label]++; top.seen[label] > 1 {
					label += fmt.Sprintf("[%d]", top.seen[label])
				}
				key := append(slices.Clone(top.key), label)
				b.add(key, i+1, value{text: head, line: i + 1})
				stack, nested = append(stack, open{key, map[string]int{}}), true
			default:
				name, args := statementOf(part)
				b.add(append(slices.Clone(top.key), name), i+1, value{text: args, line: i + 1})
			}
		}
	}
	if len(stack) != 1 || nested && longText.Match(src) || b.full() {
		return b.out, errors.New("its blocks are not told for certain")
	}
	return b.out, nil
}

// longText is a text over several lines, in which anything may stand.
var longText = lazyregexp.New("<<[~-]?[\"'A-Z]|\"\"\"|'''|(?m)^(?:=begin|__END__)")

var (
	ends      = lazyregexp.New(`^(?:\}|end\b)`)
	doBlock   = lazyregexp.New(`^(.*?)\bdo\b\s*(?:\|[^|]*\|)?$`)
	wordBlock = lazyregexp.New(`^(?:if|unless|case|begin|def|class|module|while|until)(?: .*|\(.*|;|)$`)
	endless   = lazyregexp.New(`^def [^=]*[\w)?!] = | end$`)
	assigned  = lazyregexp.New(`^([\w.$@!?\[\]-]+(?:\s*:=)?)\s*(?:=|\+=|<<|:)\s*(\S.*)$`)
	called    = lazyregexp.New(`^([\w.$@!?:<>-]+)\s*\(?(.*?)\)?$`)
)

// statementsIn splits a line at the braces and semicolons that are outside of
// quotes. What opens a block ends in its brace, what closes one begins with it.
func statementsIn(text string) []string {
	var out []string
	from, quoted := 0, false
	cut := func(to int) {
		if part := strings.TrimSpace(text[from:to]); part != "" && part != ";" {
			out = append(out, strings.TrimSuffix(part, ";"))
		}
		from = to
	}
	for i, r := range text {
		switch {
		case r == '\'':
			quoted = !quoted
		case quoted:
		case r == '{', r == ';':
			cut(i + 1)
		case r == '}':
			cut(i)
		}
	}
	cut(len(text))
	return out
}

// blockHead is the head of the block that a statement opens, if it does.
func blockHead(part string) (head string, opens bool) {
	if head, opens = strings.CutSuffix(part, "{"); opens {
		return strings.TrimSpace(head), true
	}
	if m := doBlock.FindStringSubmatch(part); m != nil {
		return strings.TrimSpace(m[1]), true
	}
	return part, wordBlock.MatchString(part) && !endless.MatchString(part) && !strings.HasSuffix(part, ":")
}

// blockName is a block's part of a key.
func blockName(head string) string {
	if fields := strings.Fields(strings.NewReplacer("::", ".", "(", " ", ")", " ", ":", " ", "'", "").Replace(head)); len(fields) > 0 {
		if len(fields) > 1 && (fields[0] == "task" || fields[0] == "tasks.named" || fields[0] == "def") {
			return fields[0] + " " + fields[1]
		}
		return fields[0]
	}
	return "block"
}

// statementOf splits a statement into its name and its arguments.
func statementOf(text string) (name, args string) {
	if m := assigned.FindStringSubmatch(text); m != nil && !strings.HasPrefix(m[2], "=") {
		return strings.TrimSpace(m[1]), m[2]
	}
	if m := called.FindStringSubmatch(text); m != nil {
		return m[1], m[2]
	}
	return "a statement", text
}

// commandsIn are the commands in the string literals of a build script: sh 'npm test', session.run('pytest', '-q').
func commandsIn(o options) script {
	var out script
	for _, x := range o {
		for _, v := range x.values {
			var all []string
			for _, m := range quotedText.FindAllStringSubmatch(v.text, -1) {
				all = append(all, m[1])
			}
			if len(all) > 1 && !strings.Contains(all[0], " ") {
				all = []string{strings.Join(all, " ")}
			}
			for _, text := range all {
				if s, err := readShell(text, v.line, shell{errexit: true}); err == nil && s.tests() {
					out = append(out, s...)
				}
			}
		}
	}
	return out
}

var (
	quotedText = lazyregexp.New(`'([^']{2,})'`)
	// testTask is a statement of a build script that sets tests up.
	testTask = expression("testTask")
)
