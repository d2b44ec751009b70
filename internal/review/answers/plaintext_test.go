package answers

import (
	"testing"
)

func TestRefused(t *testing.T) {
	for text, want := range map[string]bool{
		"I'm sorry, I can't help with that.":                true,
		"I’m sorry, but I cannot assist with that request.": true,
		"Sorry, no.":                                     true,
		"I can't review this.":                           true,
		"Unfortunately, I am unable.":                    true,
		"I cannot find a problem.\n\nDecision: APPROVED": false,
		"Sorry state of affairs.\nDecision: NEEDS-FIX":   false,
		"The spec says sorry to the user.":               false,
		"":                                               false,
	} {
		if got := IsRefusal(text); got != want {
			t.Errorf("refused(%q) = %t, want %t", text, got, want)
		}
	}
}
