package workaround

import (
	"workflow-reviewer/internal/integrity/workaround/code"
	"workflow-reviewer/internal/syntax"
)

// operatorKind says what an operator is to answer.
type operatorKind uint8

const (
	equality  operatorKind = iota + 1 // true if both are the same
	otherness                         // the opposite
	order                             // true, or a number, by comparing both
	member                            // true if the other is in it
	truth                             // of itself
	matcher                           // an object that test frameworks ask instead of comparing
	claim                             // an error is asked whether it counts as another
)

// operatorOf tells what operator a function is, 0 if none.
func (p *pass) operatorOf(fn *code.Node) operatorKind {
	params := len(fn.Def.Params)
	class := fn.Outer(code.Class)
	switch p.Lang {
	case syntax.Python:
		if class == nil || params > 1 {
			return 0
		}
		return pythonOperator(fn.Text)
	case syntax.Ruby:
		return rubyOperator(fn.Text)
	case syntax.Java:
		switch {
		case fn.Text == "equals" && params == 1:
			return equality
		case fn.Text == "compareTo" && params == 1, fn.Text == "compare" && params == 2:
			return order
		}
	case syntax.CSharp:
		switch {
		case fn.Text == "Equals" && params > 0, fn.Text == "==" && fn.Src.Is("operator_declaration"):
			return equality
		case fn.Text == "!=":
			return otherness
		case fn.Text == "CompareTo", fn.Text == "Compare" && params == 2, fn.Text == "<", fn.Text == ">", fn.Text == "<=", fn.Text == ">=":
			return order
		}
	case syntax.Go:
		if fn.Def.Type == "" || parameters(fn) != 1 {
			return 0
		}
		switch fn.Text {
		case "Is", "As": // asked by errors.Is and errors.As
			return claim
		case "Equal", "Equals":
			return equality
		case "Compare", "Cmp", "Less":
			return order
		}
	case syntax.Rust:
		return rustOperator(fn, class)
	case syntax.JavaScript, syntax.TypeScript, syntax.TSX:
		switch {
		case fn.Text == "asymmetricMatch", fn.Text == "Symbol.hasInstance":
			return matcher
		case (fn.Text == "equals" || fn.Text == "isEqual" || fn.Text == "equal") && params == 1 && class != nil:
			return equality
		case fn.Text == "compareTo" && params == 1 && class != nil:
			return order
		}
	}
	return 0
}

func pythonOperator(name string) operatorKind {
	switch name {
	case "__eq__":
		return equality
	case "__ne__":
		return otherness
	case "__lt__", "__le__", "__gt__", "__ge__":
		return order
	case "__contains__":
		return member
	case "__bool__", "__nonzero__":
		return truth
	case "__instancecheck__", "__subclasscheck__":
		return matcher
	}
	return 0
}

func rubyOperator(name string) operatorKind {
	switch name {
	case "==", "eql?", "equal?", "===":
		return equality
	case "!=":
		return otherness
	case "<", ">", "<=", ">=", "<=>":
		return order
	case "=~", "include?", "member?", "cover?":
		return member
	}
	return 0
}

func rustOperator(fn, class *code.Node) operatorKind {
	if class == nil {
		return 0
	}
	switch class.Def.Trait + "." + fn.Text {
	case "PartialEq.eq", "Eq.eq":
		return equality
	case "PartialEq.ne":
		return otherness
	case "PartialOrd.partial_cmp", "Ord.cmp", "PartialOrd.lt", "PartialOrd.gt", "PartialOrd.le", "PartialOrd.ge":
		return order
	}
	return 0
}
