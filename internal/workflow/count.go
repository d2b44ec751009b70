package workflow

import (
	"fmt"
	"strings"
)

// Count is a number with what it counts: "1 review", "2 reviews", "3 criteria", "4 retries".
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	if stem, ok := strings.CutSuffix(what, "criterion"); ok {
		return fmt.Sprintf("%d %scriteria", n, stem)
	}
	if stem, ok := strings.CutSuffix(what, "y"); ok && strings.TrimRight(stem, "aeiou") == stem {
		return fmt.Sprintf("%d %sies", n, stem)
	}
	return fmt.Sprintf("%d %ss", n, what)
}
