package runner

import (
	"fmt"
	"regexp"
	"strings"
)

// parseBlocks reads a build script of a language that has no grammar here, or
// a helper of a Ruby runner, as nested blocks of statements: in braces, between
// do and end, or indented. A block is a key, a statement in it a key with its
// arguments as values: test/useJUnitPlatform, minimum = 0.8. Nothing is left
// out but comments, layout and the kind of quotes.
func parseBlocks(src []byte) options {
	var b builder
	type open struct {
		key  []string
		end  string
		seen map[string]int
	}
	stack := []open{{seen: map[string]int{}}}
	comment := false
	for i, raw := range lines(src) {
		text := strings.TrimSpace(raw)
		if comment || strings.HasPrefix(text, "/*") {
			comment = !strings.Contains(text, "*/")
			continue
		}
		if text == "" || strings.HasPrefix(text, "//") || text[0] == '#' {
			continue
		}
		text = strings.ReplaceAll(strings.Join(strings.Fields(text), " "), `"`, `'`)
		for len(stack) > 1 && closes(text, stack[len(stack)-1].end) {
			text = strings.TrimSpace(strings.TrimPrefix(text, stack[len(stack)-1].end))
			stack = stack[:len(stack)-1]
		}
		for depth := 0; text != "" && depth < maxDepth && !b.full(); depth++ {
			top := &stack[len(stack)-1]
			head, body, end := blockOf(text)
			if end == "" {
				name, args := statementOf(text)
				b.add(append(append([]string{}, top.key...), name), i+1, value{text: args, line: i + 1})
				break
			}
			label := blockName(head)
			if top.seen[label]++; top.seen[label] > 1 {
				label += fmt.Sprintf("[%d]", top.seen[label])
			}
			key := append(append([]string{}, top.key...), label)
			b.add(key, i+1, value{text: head, line: i + 1})
			inner, rest, closed := strings.Cut(body, end)
			if closed && end == "}" && !strings.Contains(inner, "{") || closed && end == "end" && strings.TrimSpace(rest) == "" {
				if inner = strings.TrimSpace(inner); inner != "" {
					name, args := statementOf(inner)
					b.add(append(key, name), i+1, value{text: args, line: i + 1})
				}
				text = strings.TrimSpace(rest)
				continue
			}
			if len(stack) < maxDepth {
				stack = append(stack, open{key, end, map[string]int{}})
			}
			text = strings.TrimSpace(body)
		}
		for len(stack) > 1 && strings.HasSuffix(text, "}") && stack[len(stack)-1].end == "}" && strings.Count(text, "}") > strings.Count(text, "{") {
			text = strings.TrimSuffix(strings.TrimSpace(strings.TrimSuffix(text, "}")), "}")
			stack = stack[:len(stack)-1]
		}
	}
	return b.out
}

func closes(text, end string) bool {
	return strings.HasPrefix(text, end) && (end == "}" || len(text) == len(end) || strings.ContainsAny(text[len(end):len(end)+1], " .)"))
}

var (
	braceBlock = regexp.MustCompile(`^([^'{]*(?:'[^']*'[^'{]*)*?)\{\s*(?:\|[^|]*\|)?(.*)$`)
	doBlock    = regexp.MustCompile(`^(.*?)\b(?:do)\b\s*(?:\|[^|]*\|)?\s*$`)
	wordBlock  = regexp.MustCompile(`^(?:if|unless|case|begin|def|class|module|while|until)\b.*$`)
	inString   = regexp.MustCompile(`#$`)
	assigned   = regexp.MustCompile(`^([\w.$@!?\[\]-]+(?:\s*:=)?)\s*(?:=|\+=|<<|:)\s*(\S.*)$`)
	called     = regexp.MustCompile(`^([\w.$@!?:<>-]+)\s*\(?(.*?)\)?$`)
)

// blockOf splits the head of a block from what follows on its line, and says
// what ends it; no end if the statement opens none.
func blockOf(text string) (head, body, end string) {
	if m := braceBlock.FindStringSubmatch(text); m != nil && !inString.MatchString(m[1]) {
		return strings.TrimSpace(m[1]), m[2], "}"
	}
	if m := doBlock.FindStringSubmatch(text); m != nil {
		return strings.TrimSpace(m[1]), "", "end"
	}
	if wordBlock.MatchString(text) && !strings.HasSuffix(text, " end") && !strings.HasSuffix(text, ":") {
		return text, "", "end"
	}
	return text, "", ""
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

// commandsIn are the commands in the string literals of a build script: sh 'npm
// test', session.run('pytest', '-q').
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
	quotedText = regexp.MustCompile(`'([^']{2,1000})'`)
	// testTask is a statement of a build script that sets tests up.
	testTask = regexp.MustCompile(`TestTask|RakeTask|useJUnitPlatform|useTestNG|<Test>|\.Test\b|tasks\.test\b|(?m)^\s*test\b.*[{(]|session\.run|testImplementation|testFrameworks`)
)
