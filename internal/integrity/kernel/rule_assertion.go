package kernel

import (
	"math/big"
	"slices"
	"strings"
	"unicode"
)

// assertionRewritten forgives what two assertions of the catalogue differ in if
// the new one cannot pass where the old one fails:
//
//   - their messages, which only people read. A new message must not do
//     anything, since it may be evaluated although the assertion passes;
//   - another name that the catalogue declares equal or stronger for the same
//     arguments, not under a negation, which turns strength around;
//   - a tolerance that became tighter.
//
// Everything else about them must be the same: receiver, values, their order.
func (c *comparer) assertionRewritten(a, b *Node) (used, same bool) {
	if a.Field != b.Field {
		return false, false
	}
	old, ok := c.assertionOf(a)
	now, ok2 := c.assertionOf(b)
	if !ok || !ok2 || old.negated != now.negated {
		return false, false
	}
	if old.negated && !c.catalogue.Equal(now.entry, old.entry) {
		return false, false
	}
	ok = c.catalogue.AtLeast(now.entry, old.entry) && (c.catalogue.Equal(now.entry, old.entry) || !c.mayFail(a)) &&
		c.attempt(func() bool { return c.sameAssertion(old, now) }) ||
		!c.mayFail(a) && c.attempt(func() bool { return c.implied(old, now) })
	return ok, ok
}

func (c *comparer) sameAssertion(old, now assertion) bool {
	if !c.sameObject(old, now) || !slices.Equal(old.frame(), now.frame()) {
		return false
	}
	if old.name != now.name {
		if old.callee.Kids != nil && !(len(now.callee.Kids) > 0 && c.sameAll(old.callee.Kids[1:], now.callee.Kids[1:])) {
			return false
		}
		c.forgive("an assertion replaced by one that demands as much or more (" + old.name + " → " + now.name + ")")
	}
	if !c.sameBlock(old.call, now.call) {
		return false
	}
	oldArgs, oldMsg := old.split()
	newArgs, newMsg := now.split()
	if !c.harmlessMessage(oldMsg, newMsg, old.lazily()) {
		return false
	}
	if len(newArgs) == len(oldArgs)+1 && !now.negated && c.catalogue.Has("narrower", now.name) && !c.mayFail(old.node) &&
		inert(c.table, newArgs[len(newArgs)-1]) {
		c.forgive("an assertion that demands more of the same")
		newArgs = newArgs[:len(oldArgs)]
	}
	if len(oldArgs) != len(newArgs) {
		return false
	}
	for i := range oldArgs {
		role := role(now.entry.Roles, i)
		if oldArgs[i].hash != newArgs[i].hash && c.tighter(oldArgs[i], newArgs[i], role, now) {
			c.forgive("a tolerance made tighter")
			continue
		}
		if !c.same(oldArgs[i], newArgs[i]) {
			return false
		}
	}
	return true
}

// sameObject compares what two assertions are made on. Two packages or objects
// of one framework may stand for each other where the catalogue says so.
func (c *comparer) sameObject(old, now assertion) bool {
	if (old.object == nil) != (now.object == nil) {
		return false
	}
	if old.object == nil || c.try(old.object, now.object) {
		return true
	}
	from, to := c.table.skeleton(old.object), c.table.skeleton(now.object)
	if old.entry.Framework == now.entry.Framework && from != to && c.catalogue.Has("alike", from) && c.catalogue.Has("alike", to) &&
		old.object.bound == nil && now.object.bound == nil {
		c.forgive("an assertion replaced by one that demands as much or more (" + from + " → " + to + ")")
		return true
	}
	return false
}

// inert reports whether a value calls nothing and does nothing.
func inert(t *table, n *Node) bool { return pure(t, n, set{}) }

// sameAll compares two lists one by one.
func (c *comparer) sameAll(a, b []*Node) bool {
	return slices.EqualFunc(a, b, c.same)
}

// sameBlock compares what is handed over to two calls.
func (c *comparer) sameBlock(a, b call) bool {
	return (a.block == nil) == (b.block == nil) && (a.block == nil || c.same(a.block, b.block))
}

// isMessage reports whether a role is that of a text for people.
func isMessage(role string) bool {
	return strings.HasPrefix(role, "msg") || strings.HasPrefix(role, "because")
}

// role is the role of the i-th value, not counting messages.
func role(roles []string, i int) string {
	values := slices.DeleteFunc(slices.Clone(roles), isMessage)
	if i < len(values) {
		return values[i]
	}
	return ""
}

// split separates an assertion's values from its messages. A message is an
// argument beyond the values that must be there.
func (a assertion) split() (args, messages []*Node) {
	roles := a.entry.Roles
	at := slices.IndexFunc(roles, isMessage)
	if at < 0 {
		return a.args, nil
	}
	required := 0
	for _, r := range roles {
		if !isMessage(r) && !strings.HasSuffix(r, "-") && !strings.HasSuffix(r, "+") {
			required++
		}
	}
	all := strings.HasPrefix(roles[at], "msg") && strings.HasSuffix(roles[at], "...")
	many := strings.HasSuffix(roles[at], "...")
	for i, arg := range a.args {
		key := keyword(arg)
		first := at == 0 && i == 0 && (required == 0 || !many && len(a.args) > required && arg.isText())
		later := at > 0 && i >= required && (arg.isText() || many && len(messages) > 0 || all && i >= at)
		switch {
		case a.entry.Relation == "description" && !arg.isText() && i == 0:
			args = append(args, arg) // AssertJ's as(...) narrows the type too
		case slices.Contains(messageKeywords, key):
			messages = append(messages, arg)
		case key == "" && (first || later || at == 0 && many):
			messages = append(messages, arg)
		default:
			args = append(args, arg)
		}
	}
	return args, messages
}

// messageKeywords name a message where arguments are named.
var messageKeywords = []string{"msg", "message", "because", "err_msg", "userMessage"}

// keyword is the name that an argument is given by, "" if it is given by its position.
func keyword(n *Node) string {
	if n.Is("keyword_argument", "argument") && n.Child("name") != nil {
		return n.Child("name").Source()
	}
	return ""
}

// isText reports whether an argument can only be a text.
func (n *Node) isText() bool {
	switch {
	case n.Is("argument") && len(n.Kids) == 1:
		return n.Kids[0].isText()
	case n.Is("string", "template_string", "interpreted_string_literal", "raw_string_literal", "string_literal", "concatenated_string",
		"interpolated_string_expression", "verbatim_string_literal", "raw_string_literal_content", "chained_string", "heredoc_beginning"):
		return true
	case n.Is("binary_expression", "binary_operator", "binary"):
		return n.Kids[0].isText()
	case n.Is("tokens") && len(n.Kids) > 0:
		return n.Kids[0].isText()
	}
	return false
}

// frame is what an assertion is written with besides its name, receiver and values:
// arguments of types, a call that may be left out (?.).
func (a assertion) frame() (out []string) {
	a.node.Walk(func(n *Node) bool {
		switch {
		case n == a.object, n == a.block, slices.Contains(a.args, n), n.Field == "arguments", n.Is("token_tree"):
			return false
		case len(n.Kids) == 0 && n.Text != a.name && !slices.Contains([]string{".", "(", ")", "::", "!"}, n.Text):
			out = append(out, n.Text)
		}
		return true
	})
	return out
}

// lazily is the assertion if its messages are made only when it fails, else nil.
func (a assertion) lazily() *Node {
	if a.entry.Relation == "failure" || a.node.Is("macro_invocation") {
		return a.node
	}
	return nil
}

// harmlessMessage reports whether messages may change: what a new one calls, the
// old one called too, and the other way round, since what is called there may check
// something. A lazy message, made only when its assertion fails, may call what that calls.
func (c *comparer) harmlessMessage(old, now []*Node, lazy *Node) bool {
	if slices.EqualFunc(old, now, func(a, b *Node) bool { return a.hash == b.hash }) {
		return c.sameAll(old, now)
	}
	called, kept := map[string]bool{}, map[string]bool{}
	for _, m := range now {
		m.calls(c.table, func(name string) { kept[name] = true })
	}
	ok := true
	if lazy != nil {
		lazy.calls(c.table, func(name string) { called[name] = true })
	}
	for _, m := range old {
		m.calls(c.table, func(name string) {
			called[name] = true
			ok = ok && (lazy != nil || kept[name] || pureCalls[name])
		})
	}
	for _, m := range now {
		m.calls(c.table, func(name string) { ok = ok && (called[name] || pureCalls[name]) })
		ok = ok && !m.Any(func(k *Node) bool { return doers[k.Kind] })
	}
	if ok {
		c.forgive("a message changed, which only people read")
	}
	return ok
}

// pureCalls make texts and values of what they are given, and do nothing else.
var pureCalls = setOf(words["pureCalls"]...)

// doers are kinds of node that do something besides giving a value.
var doers = setOf(append(words["doers"], broken)...)

// calls tells the names of the calls in a node.
func (n *Node) calls(t *table, tell func(name string)) {
	n.Walk(func(k *Node) bool {
		if c, ok := t.callOf(k); ok {
			tell(c.name)
		} else if name := k.tokenCall(); name != "" {
			tell(name)
		}
		return true
	})
}

// tokenCall is the function or method that a name among the tokens of a macro
// calls, "" if it calls none. Capital letters make values.
func (n *Node) tokenCall() string {
	if n.Up == nil || !n.Up.Is("token_tree", "tokens") || !n.Is("identifier") || unicode.IsUpper(rune(n.Text[0])) {
		return ""
	}
	if i := slices.Index(n.Up.Kids, n) + 1; i < len(n.Up.Kids) && n.Up.Kids[i].Is("token_tree") && n.Up.Kids[i].Kids[0].Text == "(" {
		return n.Text
	}
	return ""
}

// tighter reports whether a tolerance demands more now.
func (c *comparer) tighter(old, now *Node, role string, in assertion) bool {
	if keyword(old) != keyword(now) || !c.demanded(in.node) {
		return false
	}
	smaller, larger := strings.HasSuffix(role, "-"), strings.HasSuffix(role, "+")
	if key := keyword(old); key != "" {
		smaller, larger = slices.Contains(in.entry.Roles, key+"-"), slices.Contains(in.entry.Roles, key+"+")
	}
	a, ok := number(old)
	b, ok2 := number(now)
	if !ok || !ok2 || a.Sign() < 0 || b.Sign() < 0 {
		return false
	}
	return smaller && b.Cmp(a) <= 0 || larger && isCount(old) && isCount(now) && b.Cmp(a) >= 0
}

// isCount reports whether a number is one of digits: written otherwise it may be a distance.
func isCount(n *Node) bool {
	text := n.Source()
	return strings.Trim(text[strings.LastIndexAny(text, "=: ")+1:], "0123456789_") == ""
}

// number is the value of a plain number without a sign.
func number(n *Node) (*big.Rat, bool) {
	if n.Is("argument", "keyword_argument") && len(n.Kids) > 0 {
		n = n.Kids[len(n.Kids)-1]
	}
	if len(n.Kids) > 0 {
		return nil, false
	}
	text := strings.TrimRight(strings.ReplaceAll(n.Text, "_", ""), "dDfFmML")
	if text == "" || text[0] < '.' || text[0] > '9' || strings.HasPrefix(strings.ToLower(text), "0x") || len(text) > 40 {
		return nil, false
	}
	if len(text) > 1 && text[0] == '0' && text[1] != '.' {
		return nil, false // another base
	}
	if i := strings.IndexAny(text, "eE"); i >= 0 && len(text)-i > 4 {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}
