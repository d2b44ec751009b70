package syntax

import (
	"slices"
	"strings"
)

// Kind says what a Function is besides a stub or not.
type Kind string

// The kinds of Function.
const (
	// Defined has a body that does something, or is a stub.
	Defined Kind = "defined"
	// Declared has no body of its own to write: a method of an interface, trait or protocol, an
	// abstract method, an overload, an external function; or an interface without methods.
	Declared Kind = "declared"
	// Neutral has a body that says nothing about whether the work is done: a constructor that only
	// stores its parameters, a method that only returns a field, a main of one call, a unit test
	// within the source.
	Neutral Kind = "neutral"
	// Statement is code outside of all functions that runs when the file is
	// loaded; definitions, imports and constants are not.
	Statement Kind = "statement"
)

// Function is one unit of code of a file. A function that stands in another
// belongs to the outer one and is not listed; methods of a class are.
type Function struct {
	Name      string // without class or package; "" if it has none
	StartLine int    // from 1, decorators and annotations included
	EndLine   int    // the last line that belongs to it
	Kind      Kind
	// Stub marks a Defined function whose body only raises, panics or throws, does nothing, or
	// returns a zero value.
	Stub bool
}

// Functions lists a file's functions in the order of the source.
func Functions(t *Tree) []Function {
	var out []Function
	var tests uint32 // where the latest code that is compiled for tests only ends
	t.Root().Walk(func(n Node) bool {
		tests = max(tests, unitTests(n))
		if isStatement(n) {
			out = append(out, newFunction(n, Statement, false))
		}
		if !IsFunction(n) {
			return true
		}
		kind, stub := judge(n)
		if n.at < tests {
			kind, stub = Neutral, false
		}
		out = append(out, newFunction(n, kind, stub))
		return false
	})
	return out
}

// newFunction describes a function. Its lines include decorators.
func newFunction(n Node, kind Kind, stub bool) Function {
	whole := n
	if p := n.Parent(); p.Is("decorated_definition") {
		whole = p
	}
	return Function{
		Name: nameOf(n), StartLine: whole.StartLine(), EndLine: whole.EndLine(),
		Kind: kind, Stub: stub,
	}
}

// judge says what a function is, and whether its body is a stub.
func judge(n Node) (Kind, bool) {
	switch {
	case isDeclaration(n):
		return Declared, false
	case isConstructor(n) && !slices.ContainsFunc(statements(bodyOf(n)), func(s Node) bool { return !stores(s) }),
		isAccessor(n), isThinMain(n), isMarker(n), isIdleField(n):
		return Neutral, false
	case isStub(n):
		if n.Is("lambda", "lambda_expression", "closure_expression") && nameOf(n) == "" {
			return Neutral, false // a default value, a callback that ignores
		}
		return Defined, true
	default:
		return Defined, false
	}
}

// IsFunction reports whether a node is a function or, like an interface without methods, stands for
// declarations.
func IsFunction(n Node) bool {
	switch n.Kind() {
	case "function_definition", "function_declaration", "method_declaration", "func_literal",
		"function_expression", "arrow_function", "generator_function", "generator_function_declaration",
		"method_definition", "function_signature", "method_signature", "abstract_method_signature",
		"method_elem", "constructor_declaration", "compact_constructor_declaration", "static_initializer",
		"class_static_block", "lambda_expression", "anonymous_method_expression", "function_item",
		"function_signature_item", "closure_expression", "method", "singleton_method",
		"operator_declaration", "conversion_operator_declaration", "destructor_declaration",
		"local_function_statement":
		return true
	case "accessor_declaration": // not { get; set; }
		return !bodyOf(n).IsZero()
	case "lambda":
		return n.IsNamed()
	case "property_declaration", "indexer_declaration":
		return n.Child("arrow_expression_clause").IsNamed()
	case "block", "do_block":
		return n.Parent().Is("class_body") || n.Parent().Is("call") && n.IsNamed() &&
			n.Field("body").Child("method", "singleton_method").IsZero()
	case "interface_declaration", "trait_item":
		return n.Field("body").Child("method_signature", "method_declaration", "function_item", "function_signature_item").IsZero()
	case "type_spec":
		return n.Field("type").Is("interface_type") && n.Field("type").Child("method_elem").IsZero()
	default:
		return false
	}
}

// isDeclaration reports whether a node declares a function without a body of its own.
func isDeclaration(n Node) bool {
	switch n.Kind() {
	case "function_signature", "method_signature", "abstract_method_signature", "method_elem",
		"function_signature_item", "interface_declaration", "trait_item", "type_spec":
		return true
	case "method_declaration", "function_declaration", "operator_declaration",
		"constructor_declaration", "conversion_operator_declaration", "destructor_declaration":
		return bodyOf(n).IsZero()
	case "function_definition":
		return isStub(n) && (isProtocol(n) || isAbstract(n))
	default:
		return false
	}
}

// isProtocol reports whether a Python function is a method of a Protocol.
func isProtocol(n Node) bool {
	class := n.Up("class_definition")
	for _, base := range class.Field("superclasses").Named() {
		name := base.Text()
		if i := strings.IndexByte(name, '['); i >= 0 {
			name = name[:i]
		}
		if lastName(name) == "Protocol" {
			return true
		}
	}
	return false
}

// isAbstract reports whether a Python function is decorated as abstract or as an overload.
func isAbstract(n Node) bool {
	if !n.Parent().Is("decorated_definition") {
		return false
	}
	for c := range n.Parent().Children() {
		if !c.Is("decorator") {
			continue
		}
		name := lastName(strings.TrimSpace(strings.TrimPrefix(c.Text(), "@")))
		if strings.HasPrefix(name, "abstract") || name == "overload" {
			return true
		}
	}
	return false
}

func lastName(dotted string) string { return dotted[strings.LastIndexByte(dotted, '.')+1:] }

// nameOf is a function's own name, or that of what it is assigned to.
func nameOf(n Node) string {
	if name := n.Field("name"); !name.IsZero() {
		return name.Text()
	}
	p := n.Parent()
	for p.Is("expression_list", "parenthesized_expression") {
		p = p.Parent()
	}
	if !p.Is("variable_declarator", "public_field_definition", "field_definition", "pair",
		"assignment", "assignment_expression", "var_spec", "const_item", "let_declaration") {
		return ""
	}
	for _, field := range []string{"name", "key", "left"} {
		if name := p.Field(field); !name.IsZero() {
			return name.Text()
		}
	}
	return ""
}

// bodyOf is the node of a function's statements or its one expression.
func bodyOf(n Node) Node {
	for _, field := range []string{"body", "value"} {
		if b := n.Field(field); !b.IsZero() {
			return b
		}
	}
	if n.Is("block", "do_block") {
		return n
	}
	return n.Child("block", "statement_block", "arrow_expression_clause")
}
