package rules

import (
	"bytes"
	"encoding/base64"
	"math"
	"slices"
	"strings"
	"unicode"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/workflow"
)

// knownSecret matches tokens that providers mark as theirs, and private keys.
var knownSecret = lazyregexp.New(`-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----(?:$|\\[nr](?:[^.]|$)|\s*[A-Za-z0-9+/=]{10})|\b(?:AKIA` +
	`|ASIA)[A-Z2-7]{16}\b|\bgh[pousr]_[A-Za-z0-9]{36,}\b|\bgithub_pat_\w{60,}\b|\bglpat-[\w-]{20,}\b|\bxox[abpors]-\d[\w-]{9,}\b` +
	`|\bsk-(?:proj-|ant-|live-)?[\w-]{32,}\b|\b[rs]k_live_[A-Za-z0-9]{20,}\b|\bAIza[\w-]{35}\b|\bnpm_[A-Za-z0-9]{36}\b` +
	`|\bpypi-[\w-]{50,}\b|\bSG\.[\w-]{20,}\.[\w-]{20,}\b|\bhooks\.slack\.com/services/T\w{8,}/B\w{8,}/\w{20,}\b`)

// signed matches an address that is signed for a while: the key's name in it opens nothing.
var signed = lazyregexp.New(`\b(?:X-Amz-Credential|AWSAccessKeyId)=`)

// secretURL matches the address of a store with the password in it, and its host.
var secretURL = lazyregexp.New(`\b(?:postgres(?:ql)?|mysql|mongodb(?:\+srv)?|rediss?|amqps?)://` +
	`[^\s:/@"']*:([^\s/@"'{}$<%]{8,})@([\w.-]+\.[a-z]{2,})\b`)

// connection matches the password in what a program connects to a store with, bearer a token that says whose it is.
var (
	connection = lazyregexp.New(`(?i)["';]\s*(?:server|data source|host)\s*=\s*[^;"']*\.[a-z]{2,}[^"']*;` +
		`\s*(?:password|pwd)\s*=\s*([^;"'\s{}$%<]{6,})`)
	bearer = lazyregexp.New(`\beyJ[\w-]{15,}\.(eyJ[\w-]{15,})\.[\w-]{20,}`)
)

// isPublic reports whether a token says that anyone may have it, as that of a page for its store does, or is that of manuals.
func isPublic(payload string) bool {
	text, _ := base64.RawURLEncoding.DecodeString(payload)
	return bytes.Contains(text, []byte(`"anon"`)) || bytes.Contains(text, []byte(`"1234567890"`))
}

// namedSecret matches a literal that is given to a name which speaks of a
// secret; the literal is one of its other groups.
var namedSecret = lazyregexp.New(`(?i)\b([\w.]*(?:password|passwd|secret|api_?key|access_?key|private_?key|auth_?token|access_?token` +
	`|client_?secret|credentials?)[\w]*)["']?` +
	`\s*(?::\s*(?:&(?:'static )?)?\w+\s*)?(?:=|:|=>|:=)\s*(?:"([^"'\x60\s]{6,200})"|'([^"'\x60\s]{6,200})'|\x60([^"'\x60\s]{6,200})\x60)`)

// sample matches values that are obviously none: hashes, the rules of a form and public keys among them.
var sample = lazyregexp.New(`(?i)example|changeme|change-me|placeholder|dummy|fake|sample|xxxx|your[_-]|<|^\{.*\}$` +
	`|\$\{|^\$\w+/|\{\{|%s|\*{3,}|redacted|test|demo|secret$|password$|^process\.env|^os\.|\.env\b|^%\w+%$|(?:\.\.\.|…)$|^https?://|^/` +
	`|^[a-z]+(?:[-_.][a-z]+)*$|^[A-Z]+(?:_[A-Z]+)*$|^[A-Z]{2,5}-\d+$|^\$(?:2[aby]|argon2)|^phc_|^ENC[\[(]|^v\d+:[0-9a-f]{16,}:` +
	`|^(?:required|nullable|string|confirmed)\|`)

// madeUp matches names that say that their value is none, or a hash of one.
var madeUp = lazyregexp.New(`(?i)(?:^|_|\.)(?:fake|dummy|example|sample|mock|demo)|hash(?:ed)?$|user_?secrets_?id$`)

// secrets reports where a secret stands and never what it is, each once a file.
func secrets(s *subject) []workflow.Issue {
	var out []workflow.Issue
	for _, f := range append(s.everySource(), s.settings()...) {
		told, inline := map[string]bool{}, f.inlineTests()
		for i, line := range f.lines {
			if !f.added(i+1) || len(line) > maxLine || publicKey.MatchString(line) && f.configuresFirebase(i) {
				continue
			}
			test := s.isTest(f.path) || i >= inline
			if secret, title := f.secretIn(i, test); title != "" && !told[secret] {
				if told[secret] = true; s.heldBefore(secret) {
					continue
				}
				severity := map[bool]workflow.Severity{true: milder}[test || strings.HasPrefix(secret, "django-insecure-") ||
					ofDevelopers.MatchString(f.path) && !strings.HasPrefix(title, "A private key")]
				out = append(out, workflow.Issue{File: f.path, Line: i + 1, Severity: severity, Title: title})
			}
		}
	}
	return out
}

// settingsFile matches files of settings, environment those of which each line gives a name its value.
var (
	settingsFile = lazyregexp.New(`\.(?:ya?ml|json|toml|ini|cfg|conf|properties|tfvars)$`)
	environment  = lazyregexp.New(`(?:^|/)(?:\.env(?:\.(?:local|prod\w*|dev\w*|staging))?|[\w.-]*\.env)$`)
	quotes       = lazyregexp.New(`^(\s*(?:export\s+)?\w+\s*=\s*)([^\s"'#]+)\s*$`)
)

// settings are the files of settings that come with the artifact's code.
func (s *subject) settings() (out []*source) {
	if s.Artifact.Type != workflow.Implementation && s.Artifact.Type != workflow.BugFix {
		return nil
	}
	for _, file := range sortedKeys(s.changed) {
		isEnvironment := environment.MatchString(file)
		if !isEnvironment && !settingsFile.MatchString(file) || s.isTest(file) || samplePath.MatchString(file) ||
			slices.ContainsFunc(s.Artifact.Files, func(f workflow.File) bool { return f.Path == file }) {
			continue
		}
		f := s.source(file)
		if f == nil || len(f.lines) > maxSettings {
			continue
		}
		if isEnvironment { // as a language would have it
			f.lines = slices.Clone(f.lines)
			for i, l := range f.lines {
				f.lines[i] = quotes.ReplaceAllString(l, `$1"$2"`)
			}
			f.code = f.lines
		}
		out = append(out, f)
	}
	return out
}

// maxSettings is how many lines a file of settings has that a person writes.
const maxSettings = 2000

// heldBefore reports whether a file of the change had a text before: the change did not bring it.
func (s *subject) heldBefore(text string) bool {
	for file := range s.changed {
		if strings.Contains(s.before(file), text) {
			return true
		}
	}
	return false
}

// publicKey matches what names a project to Google, which is no secret where it stands among settings of Firebase.
var publicKey = lazyregexp.New(`\bAIza[\w-]{35}\b`)

func (f *source) configuresFirebase(line int) bool {
	around := strings.Join(f.lines[max(0, line-8):min(len(f.lines), line+9)], "\n")
	return strings.Contains(around, "authDomain") && strings.Contains(around, "projectId") || strings.Contains(around, "messagingSenderId")
}

// samplePath matches files whose literals stand for others: samples, fixtures, and what readers see in their language.
var samplePath = lazyregexp.New(`(?i)(?:^|[/._-])(?:tests?|specs?|e2e|mocks?|fixtures?|seed(?:s|er|ers)?|demos?|examples?|samples?` +
	`|stor(?:y|ies)|playground|smoke|docs?|i18n|locales?|translations?)(?:[/._-]|$)|(?:^|/)config/dev\.exs$`)

// secretIn finds a secret in a line, by its index, and says what kind it is, "" if there
// is none. Tests often hold tokens that only look like some, and keys made for them.
func (f *source) secretIn(i int, test bool) (secret, title string) {
	line, code := f.lines[i], f.code[i]
	if m := knownSecret.FindString(line); m != "" && !looksLikeSample(m) &&
		!(m[0] == '-' && shortKey.MatchString(line)) && (m[0] != 'A' || !signed.MatchString(line)) {
		if !test {
			return m, "A private key or provider's token is written into the code"
		}
		if !strings.HasPrefix(m, "-----") && !strings.HasPrefix(m, "AIza") {
			return m, "A provider's token seems to be written into a test"
		}
	}
	if m := secretURL.FindStringSubmatch(line); m != nil && !test && !samplePath.MatchString(f.path) &&
		!sample.MatchString(m[1]) && !strings.Contains(m[2], "example") && random(m[1]) {
		return m[1], "A password is written into an address"
	}
	if m := connection.FindStringSubmatch(line); m != nil && !test && !samplePath.MatchString(f.path) && !sample.MatchString(m[1]) &&
		random(m[1]) {
		return m[1], "A password is written into an address"
	}
	commented := strings.TrimSpace(code) == "" || strings.HasSuffix(f.path, ".sql") && strings.HasPrefix(strings.TrimSpace(line), "-- ")
	if m := bearer.FindStringSubmatch(line); m != nil && !test && !samplePath.MatchString(f.path) && !isPublic(m[1]) && !commented {
		return m[0], "A provider's token is written into the code"
	}
	m := namedSecret.FindStringSubmatchIndex(line)
	if m == nil || test || samplePath.MatchString(f.path) || commented || inString(line, code, m[2]) {
		return "", ""
	}
	name, value := line[m[2]:m[3]], strings.Trim(line[max(m[4], m[6], m[8]):max(m[5], m[7], m[9])], "\"'`")
	if sample.MatchString(value) || madeUp.MatchString(name) || inWords(value) || namesItself(name, value) || !random(value) {
		return "", ""
	}
	return value, "A secret seems to be written into the code: the value of " + cutLine(name, 60)
}

// inString reports whether what begins at a byte of a line is part of a text, and not the quoted name of a field.
func inString(line, code string, at int) bool {
	return strings.TrimSpace(code[at:min(at+1, len(code))]) == "" && (at == 0 || !strings.ContainsRune("\"'`", rune(line[at-1])))
}

// itself matches what a value is called that says no more than what it is for.
var itself = lazyregexp.New(`(?i)password|passwd|secret|api_?key|access_?key|private_?key|token|credentials?`)

// namesItself reports whether a value repeats its name, or what the name is made of.
func namesItself(name, value string) bool {
	name, value = strings.ToUpper(name), strings.ToUpper(value)
	return strings.Contains(value, name) || slices.ContainsFunc(itself.FindAllString(value, -1),
		func(w string) bool { return strings.Contains(name, w) })
}

// looksLikeSample tells the tokens of manuals from real ones.
func looksLikeSample(token string) bool {
	upper := strings.ToUpper(token)
	return strings.Contains(upper, "EXAMPLE") || strings.Contains(upper, "XXX") || strings.Contains(upper, "0000000") ||
		strings.Contains(upper, "12345678") || strings.Contains(upper, "ABCDEFGH") || strings.Contains(upper, "98765432") ||
		!strings.HasPrefix(token, "-----") && entropy(token) < 3
}

// shortKey matches a private key that is too short to be one.
var shortKey = lazyregexp.New(`PRIVATE KEY-----(?:\\[nr])+[A-Za-z0-9+/=]{0,100}(?:\\[nr])+-----END`)

// ofDevelopers matches settings that only developers use.
var ofDevelopers = lazyregexp.New(`(?:^|/)\.env\.dev\w*$|(?:^|/)appsettings\.Development\.json$`)

// random reports whether a literal mixes characters as generated secrets and good passwords do.
func random(s string) bool {
	var lower, upper, digit, other bool
	for _, r := range s {
		if r > unicode.MaxASCII { // a label in another script
			return false
		}
		lower, upper, digit = lower || unicode.IsLower(r), upper || unicode.IsUpper(r), digit || unicode.IsDigit(r)
		other = other || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-.:#/", r)
	}
	return (lower || upper) && (digit || other && lower && upper) && entropy(s) >= 2.75
}

// inWords reports whether a literal reads as words: four parts at least, of which one in four has anything but letters.
func inWords(s string) bool {
	parts := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("-_. ", r) })
	other := 0
	for _, p := range parts {
		if strings.ContainsFunc(p, func(r rune) bool { return !unicode.IsLetter(r) }) {
			other++
		}
	}
	return len(parts) >= 4 && other*4 <= len(parts)
}

// entropy is Shannon's, in bits a character.
func entropy(s string) float64 {
	counts := map[rune]int{}
	n := 0
	for _, r := range s {
		counts[r]++
		n++
	}
	var e float64
	for _, c := range counts {
		p := float64(c) / float64(n)
		e -= p * math.Log2(p)
	}
	return e
}
