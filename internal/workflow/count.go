package workflow

import (
	"fmt"
	"strings"
)

// Count is a number with what it counts: "1 review", "2 reviews", "3 criteria".
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	if stem, ok := strings.CutSuffix(what, "criterion"); ok {
		return fmt.Sprintf("%d %scriteria", n, stem)
	}
	return fmt.Sprintf("%d %ss", n, what)
}
