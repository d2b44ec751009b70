package rules

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/code"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
)

// What comes from outside of a program: what a request, a user or another program gives (asked), and what the
// file's functions get from callers that are not in the file. A name that nothing in the file declares counts only
// outside of all functions, where a script or a template begins.
var (
	asked = lazyregexp.New(`(?i)^(?:req|request|query|params|body|argv|input|form|payload|event|message|msg|headers|cookies` +
		`|user_?(?:input|name)|query_?(?:params|string))$`)
	// ambiguous are such names that a function has for other things as well.
	ambiguous = lazyregexp.New(`(?i)^(?:query|params|form|input|event|headers)$`)
	// hosts are parameters that a shell gets from a user.
	hosts      = lazyregexp.New(`(?i)^(?:host(?:_?name)?|domain|url|address|branch|file_?name|email|user)$`)
	askedField = lazyregexp.New(`^(?:process\.argv|sys\.argv|os\.Args|Deno\.args|ARGV|(?:window\.|document\.` +
		`|self\.)?location\.(?:hash|search|href)|document\.(?:cookie|referrer|URL)|(?:ctx|context|c|r|e|ev|evt|self` +
		`|this)\.(?:request|body|query|params|headers|cookies|args|form|files|URL|Form|PostForm|Request))$|(?:^|\.)searchParams$`)
	askedCall = lazyregexp.New(`^(?:URLSearchParams|input|raw_input|prompt|gets|fetch|sys\.stdin\.\w+|Console\.ReadLine|axios(?:\.\w+)?` +
		`|requests\.\w+|urllib\.request\.urlopen|useSearchParams|useParams)$|\.(?:getParameter|getHeader|getQueryString|FormValue` +
		`|PostFormValue|PathValue|PostForm|GetQuery|DefaultQuery)$|^c\.(?:Query|Param)$` +
		`|\bsearchParams\.get(?:All)?$|\breq\.(?:query|param|header|parseBody)$`)
	// kept is what a page has kept of a user, terminal what comes from who started a program.
	kept     = lazyregexp.New(`(?:^|\.)(?:localStorage|sessionStorage)\.getItem$`)
	terminal = lazyregexp.New(`^(?:process\.argv|sys\.|os\.Args|Deno\.args|ARGV|Console\.|(?:self|this)\.args$)` +
		`|^(?:input|raw_input|prompt|gets|fetch|axios|requests|urllib)\b`)
	// fetched is what the program asks another one for, by its own choice.
	fetched = lazyregexp.New(`^(?:fetch|axios|requests|urllib)\b`)
	// ownData is a file beside the page; what begins with a slash may be made by a server, as /posts.json.
	ownData = lazyregexp.New(`^[\w.-][\w./-]*\.(?:json|html?|svg|md|csv)$`)
	// globals are there in every script, and are no text.
	globals = lazyregexp.New(`^(?:process|document|console|self|super|navigator|os|sys` +
		`|undefined|fmt|strings|[A-Z]\w*)$`)
	// service is what a function gets to work with.
	service = lazyregexp.New(`(?i)^(?:db|database|conn\w*|pool|client|knex|\w*dialect|driver|engine|schema|model|repo\w*|adapter` +
		`|builder|qb|session|cursor|ctx|logger|config|options|opts|i18n|t|utils?|helpers?|cls|theme)$`)
	// noText are types of which no text can be that changes what it goes into.
	noText = lazyregexp.New(`^(?:Optional\[|Nullable<|Option<|List\[|list\[|Sequence\[|\[\]|readonly |\*|&)*(?:number|bigint` +
		`|boolean|bool|true|false|integer|u?int\d*|u?int\w*_t|float\d*|long|short|byte|double|decimal|[iu](?:8|16|32|64|128|size)` +
		`|f32|f64|Integer|Long|Short|Boolean|Double|Float|BigDecimal|BigInteger|Decimal|UUID|uuid\.UUID|Guid|Date|date` +
		`|datetime(?:\.\w+)?|time\.\w+|Duration|LocalDate\w*|Instant|DateTime\w*|TimeSpan|Path|["'][^"']*["'](?:\s*\` +
		`|\s*["'][^"']*["'])*)(?:\]|>|\?|\[\]|\s*\|\s*(?:None|null|undefined))*$`)
	ownType = lazyregexp.New(`^[&*]*(?:\w+\.)?[A-Z]\w*\??$`)
	anyText = lazyregexp.New(`^[&*]*(?:String|Str|Object|Any|HTML|T|CharSequence|Cow|Markup|SafeString|ReactNode|Optional|Record)\??$`)
)

// outside follows what comes from outside through the file, for one threat; strict: only what was asked,
// and into a page what a request or an address brings, whatever it is called.
func (f *source) outside(t threat, strict bool) *code.Flow {
	key := flowOf{t, strict}
	if f.flows[key] == nil {
		if f.flows == nil {
			f.flows = map[flowOf]*code.Flow{}
		}
		o := &outside{f, t, strict, map[parameter]bool{}}
		f.flows[key] = f.terms.Trace(code.Tracing{Source: o.begins, Stops: o.stops, Through: o.through})
	}
	return f.flows[key]
}

// flowOf says which flow of a file it is.
type flowOf struct {
	threat threat
	strict bool
}

type outside struct {
	f      *source
	threat threat
	strict bool
	opened map[parameter]bool
}

type parameter struct {
	fn   *code.Node
	name string
}

// begins reports whether a node is where something comes from outside.
func (o *outside) begins(n *code.Node) bool {
	switch n.Kind {
	case code.Name:
		return o.named(n)
	case code.Member, code.Index:
		d := o.f.terms.FullName(n)
		if o.f.typed(n) && (o.threat == ofPage || o.threat == ofCode) && !o.strict {
			return true
		}
		return askedField.MatchString(d) && !o.byUser(d) && code.First(n).Is(code.Name) && len(o.f.terms.Assigned(code.First(n).Text)) == 0
	case code.Call:
		callee := o.f.terms.Callee(n)
		return (askedCall.MatchString(callee) || o.threat == ofPage && !o.strict && kept.MatchString(callee)) && !o.byUser(callee) &&
			!(o.strictPage() && fetched.MatchString(callee)) && !(n.Kid(1).Is(code.Literal) &&
			ownData.MatchString(n.Kid(1).Value.Text))
	}
	return false
}

// byUser reports whether who started a program says something himself, or it asks for it of its own accord.
func (o *outside) byUser(what string) bool {
	return o.threat == ofShell && o.strict && terminal.MatchString(what) && (o.f.command || o.f.isProgram())
}

// field is how an element is called that a user writes into, lookup what finds one.
var (
	field  = lazyregexp.New(`(?i)(?:input|field|text_?area|editor|text_?box)(?:el|element)?$`)
	lookup = lazyregexp.New(`^(?:getElementById|querySelector|getElementsByName)$`)
)

// typed reports whether a node of a page's script is what a user has written into an element: input.value.
func (f *source) typed(n *code.Node) bool {
	of := n.Kid(0)
	return f.script() && n.Text == "value" && (of.Is(code.Call) && lookup.MatchString(code.Method(of)) || of.Is(code.Name, code.Member) &&
		field.MatchString(of.Text))
}

func (o *outside) named(n *code.Node) bool {
	name, scope := n.Text, code.ScopeOf(n, n.Text)
	read := n.Up.Is(code.Member, code.Index) && n.Up.Kids[0] == n || n.Up.Is(code.Assign) && n.Up.Kid(0).Is(code.Dict)
	called := n.Up.Is(code.Member) && n.Up.Up.Is(code.Call) && n.Up.Up.Kids[0] == n.Up
	isAsked := asked.MatchString(name) && (read || o.threat == ofShell || !ambiguous.MatchString(name))
	if o.threat == ofShell && o.strict || o.strictPage() {
		isAsked = strings.HasPrefix(name, "req") || // tools have inputs and messages of their own
			o.f.is(syntax.Ruby) && name == "params" || o.f.is(syntax.CSharp) && name == "Request"
	}
	isAsked = isAsked || routed(scope, name)
	if scope != nil {
		if !slices.Contains(scope.Def.Params, name) || o.f.ofNoText(scope.Def.Types[name], n) || called && service.MatchString(name) {
			return false
		}
		own := ownType.MatchString(scope.Def.Types[name]) && !anyText.MatchString(scope.Def.Types[name])
		weak := !o.strict && (o.threat != ofShell || hosts.MatchString(name)) && (read || !own || o.threat == ofCode)
		return isAsked && nameOf(scope) == "" || (isAsked || weak) && o.open(scope, name)
	}
	declared := len(o.f.terms.Assigned(name)) > 0 || len(o.f.terms.Named(name)) > 0 || o.f.terms.Imports[name] != ""
	if isAsked && (len(o.f.terms.Assigned(name)) == 0 || o.f.terms.Imports[name] != "") {
		return true
	}
	return !declared && !o.strict && o.threat != ofShell && n.Outer(code.Func) == nil && !globals.MatchString(name) &&
		!(called && service.MatchString(name))
}

// ofNoText reports whether a parameter of a type, or the field that is read of it, holds no text that does harm.
func (f *source) ofNoText(written string, n *code.Node) bool {
	if f.script() && f.project.holdsNoText(written) {
		return true
	}
	if strings.HasPrefix(written, "{") && n.Up.Is(code.Member) && n.Up.Kids[0] == n {
		m := lazyregexp.New(`[{;,\s]` + lazyregexp.Quote(n.Up.Text) + `\??\s*:\s*([^;,\n}]+)`).FindStringSubmatch(written)
		return m != nil && noText.MatchString(strings.TrimSpace(m[1]))
	}
	return noText.MatchString(written)
}

// answers marks what a request is handed to, and bound a parameter that has a part of it.
var (
	answers = lazyregexp.New(`(?m)^\s*@\w+\.(?:get|post|put|patch|delete|route|api_route|websocket)\(`)
	bound   = lazyregexp.New(`@(?:RequestParam|PathVariable|RequestBody|Query|Param|Body)\b(?:\([^()]*\))?\s+(?:\w+\s+)?(\w+)`)
)

func verbs() []string { return []string{"Get", "Post", "Put", "Delete", "Patch"} }

// routed reports whether a framework fills a parameter in from a request.
func routed(fn *code.Node, param string) bool {
	if fn == nil {
		return false
	}
	if method := code.Method(fn.Up); strings.HasPrefix(method, "Map") && slices.Contains(verbs(), method[len("Map"):]) {
		return true
	}
	if up := fn.Src.Parent(); up.Is("decorated_definition") && answers.MatchString(up.Text()) {
		return true
	}
	all := bound.FindAllStringSubmatch(fn.Src.Field("parameters").Text(), -1)
	return slices.ContainsFunc(all, func(m []string) bool { return m[1] == param })
}

// nameOf is what a function is called, or assigned to.
func nameOf(fn *code.Node) string {
	if fn.Text == "" && fn.Up.Is(code.Assign) && fn.Up.Kid(0).Is(code.Name, code.Member) {
		return fn.Up.Kid(0).Text
	}
	return fn.Text
}

// wraps makes a component of the function that it gets, handles has it called by who asks.
var (
	wraps   = lazyregexp.New(`^(?:memo|forwardRef|observer|defineComponent)$`)
	handles = lazyregexp.New(`^(?:action|handle|on|once|addEventListener|post|put|patch|use|tool|registerTool)$`)
)

// open reports whether others than the file call a function with something for a
// parameter that the file does not choose itself.
func (o *outside) open(fn *code.Node, param string) bool {
	key := parameter{fn, param}
	known, ok := o.opened[key]
	if !ok {
		known = o.isOpen(fn, param)
		o.opened[key] = known
	}
	return known
}

func (o *outside) isOpen(fn *code.Node, param string) bool {
	name := nameOf(fn)
	if name == "" {
		return !fn.Up.Is(code.Call) || wraps.MatchString(code.Method(fn.Up)) || handles.MatchString(code.Method(fn.Up))
	}
	at, fixed := slices.Index(fn.Def.Params, param), true
	calls := slices.DeleteFunc(slices.Clone(o.f.callsOf(name)), func(c *code.Node) bool { return c.Within(fn) })
	for _, c := range calls { // as an argument, whatever calls it
		fixed = fixed && (code.Method(c) != name || at >= len(c.Args()) || c.Args()[at].Is(code.Literal))
	}
	return (len(calls) == 0 || !fixed && o.exported(fn, name)) && !(o.threat == ofPage && o.f.script() && o.f.project.fixed(name, at))
}

// callsOf are the calls of a function of the file, and those that it is handed to.
func (f *source) callsOf(name string) []*code.Node {
	if f.calls == nil {
		f.calls = map[string][]*code.Node{}
		for _, c := range f.terms.Calls {
			names := []string{code.Method(c)}
			for _, a := range c.Args() {
				if a.Is(code.Name) && !slices.Contains(names, a.Text) {
					names = append(names, a.Text)
				}
			}
			for _, n := range names {
				f.calls[n] = append(f.calls[n], c)
			}
		}
	}
	return f.calls[name]
}

// exported reports whether a function says that others may call it.
func (o *outside) exported(fn *code.Node, name string) bool {
	if o.f.is(syntax.Go) {
		return name[0] >= 'A' && name[0] <= 'Z'
	}
	for p, i := fn.Src, 0; i < 4 && !p.IsZero() && !p.Is("statement_block"); p, i = p.Parent(), i+1 {
		if p.Is("export_statement") || !p.Child("visibility_modifier").IsZero() {
			return true
		}
	}
	return fn.Def.Has("public")
}

// number is what makes a number: no text comes through it. escaped is what makes a text harmless.
var (
	number = lazyregexp.New(`^(?:Number|BigInt|parseInt|parseFloat|Math\.\w+|int|float|bool|Boolean|len|Integer|Float|Date\.now` +
		`|strconv\.\w+|hash|uuid\w*|UUID\.\w+|new Date|Integer\.\w+|Long\.\w+|typeof)$|\.(?:toISOString|getTime|to_i|to_f` +
		`|parse::\w+|indexOf|find_index|count|isoformat|fromString|strftime|hexdigest|digest)$`)
	numberFormat = lazyregexp.New(`[\d.,+][dfFeEgGxX%]$`)
	rounds       = lazyregexp.New(`^(?:max|min|round|abs|sum)$`)
	counts       = lazyregexp.New(`^(?:\w*[fF]ormat(?:Number|Currency|Percent|Bytes|Date|Time|Duration|Size|FileSize)\w*)$` +
		`|\.(?:toFixed|toPrecision|toLocale(?:Date|Time)?String|get(?:UTC)?(?:FullYear|Month|Date|Day|Hours|Minutes|Seconds)` +
		`|\w*[fF]ormat(?:Number|Currency|Percent|Bytes|Date|Time|Duration|Size|FileSize)\w*)$`)
	escaped = lazyregexp.New(`(?i)sanitiz|sanitis|purify|escape|\besc\b|encode|quote|bleach|strip_?tags|format_html|literal` +
		`|parameterize|validat|allow|slugify|whitelist|json\.dumps|render_to_string|linebreaks`)
	entity = lazyregexp.New(`&(?:lt|amp);`)
	// numberName is how what holds a number is called, and restoredName what was
	// read from the page before; inert is a part of a page that no one writes.
	numberName = lazyregexp.New(`(?i)(?:id|ids|count|index|number|num|total|length|stock|quantity|score|duration|seconds|minutes` +
		`|hours|days|width|height|size|percent|price|amount|year)$|^(?-i:(?:total|completed|num)[A-Z]\w*s)$`)
	restoredName = lazyregexp.New(`^(?:_?(?:original|orig|prev|previous|saved|initial|backup)[A-Z_]\w*|innerHTML|outerHTML` +
		`|(?:\w+_)?html)$`)
	inert = lazyregexp.New(`(?i)(?:icon|class|cls|class_?name|colou?r|style|svg|variant|locale|lang|unit|theme|checked` +
		`|selected|disabled|enabled|state|mode|level|emoji|badge)$`)
	// translates is what looks a text of the project up by its key, translated a table of such texts.
	translates = lazyregexp.New(`^(?:(?:\w+\.)*\$?(?:t|i18n|tr|translate|gettext|_|__|\$t|formatMessage))$`)
	translated = lazyregexp.New(`^links?\.label$|(?:^|\.)(?:icons?|svgs?)\.\w+$|` +
		`^(?:(?:window|this|self)\.)?(?:__?t|i18n|translations?|messages|labels|strings)\.`)
	// builds is what makes text for a page of its arguments.
	builds = lazyregexp.New(`(?i)render|markdown|marked|html|template|wrap|highlight|linkify|nl2br|content|text`)
)

func (o *outside) strictPage() bool { return o.threat == ofPage && o.strict }

// stops reports whether nothing from outside comes out of a node that could do harm.
func (o *outside) stops(n *code.Node) bool {
	page, name := o.threat == ofPage && !o.strict, n.Text
	if key := n.Kid(1); n.Is(code.Index) && key.Is(code.Literal) && !strings.Contains(key.Value.Text, " ") {
		name = key.Value.Text
	}
	if n.Up.Is(code.Template) && numberFormat.MatchString(n.Src.Parent().Child("format_specifier").Text()) {
		return true
	}
	switch n.Kind {
	case code.Call:
		return o.stopped(n)
	case code.Name:
		restored := restoredName.MatchString(n.Text) && !strings.HasSuffix(n.Text, "html")
		return page && (restored || numberName.MatchString(n.Text) || inert.MatchString(n.Text) || o.f.highlighted(n.Text)) ||
			o.f.terms.Listed(n)
	case code.Member, code.Index:
		if o.f.terms.Listed(n) {
			return true
		}
		if n.Is(code.Member) && (n.Text == "length" || n.Text == "size") {
			return true
		}
		if restoredName.MatchString(name) && strings.Contains(o.f.lines[n.Line-1], "__html") {
			return false // a component that gets it
		}
		return page && (n.Is(code.Member) && o.f.noTextIn(name) || numberName.MatchString(name) || restoredName.MatchString(name) ||
			inert.MatchString(name) || translated.MatchString(code.Dotted(n)))
	}
	return false
}

func (o *outside) stopped(n *code.Node) bool {
	callee, method := o.f.terms.Callee(n), code.Method(n)
	if n.Text == "new" {
		callee = "new " + callee
	}
	first := n.Kid(1)
	switch {
	case number.MatchString(callee), number.MatchString("." + method), escaped.MatchString(method), escaped.MatchString(callee):
		return true
	case rounds.MatchString(callee):
		return true
	case strings.HasPrefix(method, "replace") && first.Is(code.Literal) && clears(first.Value.Text),
		method == "sub" && first.Is(code.Literal) && strings.Contains(first.Value.Text, "[^"):
		return true
	case o.threat == ofStatement && strings.HasPrefix(method, "replace") && n.Kid(2).Is(code.Literal) && n.Kid(2).Value.Text == "''":
		return true
	case o.threat == ofStatement:
		return strings.Contains(strings.ToLower(callee), "dialect") || method == "add" && n.Kid(0).Is(code.Member) // to what is bound
	case o.threat == ofCode:
		return method == "open"
	case o.threat != ofPage:
		return false
	}
	if method == "text" && len(n.Kids) == 1 { // a part of the page from the own server
		return true
	}
	if counts.MatchString(callee) || counts.MatchString("."+method) || translates.MatchString(callee) && !first.Is(code.Name, code.Member) {
		return true
	}
	own := o.f.terms.NamedOrAssigned(method)
	for _, fn := range own {
		if escaped.MatchString(fn.Src.Text()) || entity.MatchString(fn.Src.Text()) {
			return true
		}
	}
	if len(own) > 0 || !o.f.script() || !n.Kid(0).Is(code.Name) || !builds.MatchString(method) {
		return false
	}
	there := o.f.project.function(method)
	return escaped.MatchString(there) || entity.MatchString(there)
}

// clears reports whether a pattern that is replaced leaves known characters alone, or the marks of a page.
func clears(pattern string) bool {
	return strings.HasPrefix(pattern, "/[^") || strings.HasPrefix(pattern, "[^") || strings.Contains(pattern, "<")
}

// through reports whether what an unknown function gets is in what it makes.
func (o *outside) through(n *code.Node) bool {
	if o.threat != ofPage || n.Text == "new" {
		return false
	}
	method := code.Method(n)
	if !o.f.script() {
		return strings.Contains(method, "markdown")
	}
	return builds.MatchString(method) || translates.MatchString(o.f.terms.Callee(n)) || method == "stringify"
}

// highlighter matches the import of a library that colours code, and escapes it.
var highlighter = lazyregexp.New(`(?im)^\s*import\b.*(?:shiki|highlight\.js|hljs|prism|highlighter)`)

// highlighted reports whether a value has the name of what such a library made.
func (f *source) highlighted(name string) bool {
	return strings.HasPrefix(strings.ToLower(name), "highlighted") && highlighter.MatchString(strings.Join(f.lines, "\n"))
}
