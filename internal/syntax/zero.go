package syntax

import (
	"regexp"
	"slices"
	"strings"
)

// maxHolding is how deep a zero value may hold others, as in Ok((0, 0)).
const maxHolding = 8

func allZeroIn(ns []Node, depth int) bool {
	return !slices.ContainsFunc(ns, func(n Node) bool { return !zeroIn(n, depth) })
}

// zero reports whether an expression is a zero value of its language, an empty
// container, or an error that says no more than that there is one.
func zero(n Node) bool { return zeroIn(n, maxHolding) }

// zeroIn reports whether an expression is a zero value, through at most depth levels.
func zeroIn(n Node, depth int) bool {
	if depth == 0 {
		return false
	}
	n = unwrap(n)
	switch n.Kind() {
	case "none", "nil", "null", "null_literal", "undefined", "false", "ellipsis", "default_expression", "unit_expression":
		return true
	case "boolean_literal":
		return n.Text() == "false"
	case "integer", "int_literal", "integer_literal", "decimal_integer_literal", "number",
		"float", "float_literal", "real_literal", "decimal_floating_point_literal":
		return zeroNumber.MatchString(n.Text())
	case "string", "string_literal", "interpreted_string_literal", "raw_string_literal", "template_string",
		"verbatim_string_literal", "interpolated_string_expression":
		return emptyString.MatchString(n.Text())
	case "list", "dictionary", "array", "object", "hash", "collection_expression", "array_initializer",
		"initializer_expression", "array_expression":
		return len(n.Named()) == 0
	case "tuple", "expression_list", "argument_list", "tuple_expression":
		return allZeroIn(n.Named(), depth-1)
	case "composite_literal":
		return len(n.Field("body").Named()) == 0
	case "array_creation_expression":
		return zeroLength.MatchString(n.Text())
	case "identifier", "constant", "selector_expression", "attribute", "member_expression", "member_access_expression",
		"field_access", "scoped_identifier", "field_expression", "scope_resolution":
		return zeroName(n.Text())
	default:
		return IsCall(n) && zeroCall(n, depth)
	}
}

// Texts of zero values. A number may have a type's suffix, a string the letters that stand before
// its quotes.
var (
	zeroNumber  = regexp.MustCompile(`^0*(?:0|0\.0*|\.0+)_?(?:[iu](?:8|16|32|64|128|size)|f32|f64|[lLfFdDuUmMn])*$`)
	emptyString = regexp.MustCompile("^[a-zA-Z@$#]*(?:\"\"|''|``|\"\"\"\"\"\"|'''''')#*$")
	zeroLength  = regexp.MustCompile(`(?:\[0\]|\[\]\s*\{\s*\})$`)
	container   = regexp.MustCompile(`^new (?:[\w.]+\.)?(?:Array|Linked|Hash|Tree|Sorted)?(?:List|Map|Set|Dictionary|Array|Object)$`)
)

// zeroName reports whether a name stands for a zero value or for what is not implemented.
func zeroName(name string) bool {
	switch name {
	case "None", "NotImplemented", "string.Empty", "String.Empty", "Task.CompletedTask", "ValueTask.CompletedTask":
		return true
	default:
		return notImplemented.MatchString(lastName(name))
	}
}

// unwrap takes an expression out of its parentheses, casts and references.
func unwrap(n Node) Node {
	for {
		inner := n.Named()
		if len(inner) == 0 {
			return n
		}
		switch n.Kind() {
		case "parenthesized_expression", "as_expression", "satisfies_expression", "non_null_expression",
			"postfix_unary_expression", "await_expression", "await", "type_cast_expression", "expression_statement":
			n = inner[0]
		case "type_assertion", "cast_expression", "reference_expression":
			n = inner[len(inner)-1]
		case "unary_expression":
			if !strings.HasPrefix(n.Text(), "&") {
				return n
			}
			n = inner[len(inner)-1]
		default:
			return n
		}
	}
}

// zeroCall reports whether a call only makes a zero value or an error.
func zeroCall(n Node, depth int) bool {
	if doesWork(n) {
		return false
	}
	if raises(n) {
		return true
	}
	name, args := Callee(n), Arguments(n)
	switch name {
	case "errors.New", "fmt.Errorf", "Err", "Promise.reject", "Task.FromException", "status.Error", "status.Errorf":
		return true
	case "Ok", "Promise.resolve", "Task.FromResult", "ValueTask.FromResult", "Mono.justOrEmpty":
		return allZeroIn(args, depth-1)
	case "new":
		return len(args) == 1 && n.tree.lang == Go
	case "vec!", "list", "dict", "set", "tuple", "str", "int", "float", "bool", "bytes", "frozenset":
		return len(args) == 0
	}
	if len(args) > 0 {
		return false
	}
	last := lastName(strings.ReplaceAll(name, "::", "."))
	switch last {
	case "empty", "Empty", "emptyList", "emptyMap", "emptySet", "default":
		return true
	case "of":
		return name == "List.of" || name == "Map.of" || name == "Set.of"
	case "new":
		return n.tree.lang == Rust && strings.Contains(name, "::")
	default:
		return container.MatchString(name) && len(n.Field("initializer").Named()) == 0 && n.Child("class_body").IsZero()
	}
}
