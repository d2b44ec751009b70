package workaround

import (
	"strings"

	"workflow-reviewer/internal/integrity/workaround/code"
)

// weakMarker: the configuration says test.
func (p *pass) weakMarker(n *code.Node) string {
	switch {
	case n.Is(code.Call):
		switch callee := p.Callee(n); {
		case callee == "Rails.env.test?", callee == "Sinatra.Base.test?":
			return callee
		case readsEnvironment(callee) && modeFlag(textOf(n.Kid(1))):
			return textOf(n.Kid(1))
		}
	case n.Is(code.Member) && (modeFlag(n.Text) && (readsEnvironment(p.FullName(n.Kid(0))) || last(code.Dotted(n.Kid(0))) == "settings" || strings.HasSuffix(code.Dotted(n.Kid(0)), "config"))):
		return n.Text
	case n.Is(code.Index) && modeFlag(textOf(n.Kid(1))) && (readsEnvironment(p.FullName(n.Kid(0))) || strings.HasSuffix(code.Dotted(n.Kid(0)), "config")):
		return textOf(n.Kid(1))
	}
	return ""
}

func modeFlag(name string) bool {
	switch name {
	case "TESTING", "TEST_MODE", "IS_TEST", "UNIT_TEST", "UNIT_TESTING", "TEST_ENV", "RUNNING_TESTS", "IN_TEST", "UNDER_TEST":
		return true
	}
	return false
}

// modeVariable reports whether an environment variable holds the mode in which
// a program runs.
func modeVariable(name string) bool {
	switch name {
	case "NODE_ENV", "APP_ENV", "RAILS_ENV", "RACK_ENV", "FLASK_ENV", "DJANGO_ENV", "GO_ENV", "ENVIRONMENT", "ASPNETCORE_ENVIRONMENT", "DOTNET_ENVIRONMENT", "BABEL_ENV", "PYTHON_ENV", "MODE", "SPRING_PROFILES_ACTIVE", "RUST_ENV", "ENV":
		return true
	}
	return false
}

// mode tells whether a node reads the variable of the mode.
func (p *pass) mode(n *code.Node) bool {
	switch {
	case n.Is(code.Name):
		return modeVariable(n.Text) && p.Imports[n.Text] == "process.env."+n.Text
	case n.Is(code.Member):
		return modeVariable(n.Text) && readsEnvironment(p.FullName(n.Kid(0)))
	case n.Is(code.Index):
		return modeVariable(textOf(n.Kid(1))) && readsEnvironment(p.FullName(n.Kid(0)))
	case n.Is(code.Call):
		return readsEnvironment(p.Callee(n)) && modeVariable(textOf(n.Kid(1)))
	}
	return false
}
