package runner

import (
	"fmt"
	"strconv"
	"strings"
)

// number compares a threshold, a limit, or a number of tries.
func (c *comparison) number(r rule, was, is *option) {
	before, hadNumber := numberOf(was.last().text)
	after, ok := numberOf(is.last().text)
	verb := map[effect]string{
		threshold: "Threshold lowered", ceiling: "Limit raised", retries: "Failing tests are run again",
	}[r.effect]
	var bad bool
	switch {
	case was == nil || len(was.values) == 0:
		bad = r.effect == retries && is != nil && (!ok && truthy(is.last().text) || after > 0)
	case is == nil || len(is.values) == 0:
		bad = r.effect != retries && (!hadNumber || before != 0)
	case !hadNumber || !ok:
		bad = true
	case r.effect == threshold:
		bad = after < before
	default:
		bad = after > before
	}
	if bad {
		c.report(finding{r.kindOf(), lineOf(was), valueLine(is), fmt.Sprintf("%s: %s %s", verb, nameOf(was, is), became(was, is))})
	}
}

func numberOf(s string) (float64, bool) {
	s = strings.TrimSuffix(strings.TrimSpace(s), "%")
	f, err := strconv.ParseFloat(strings.Trim(s, `"' `), 64)
	return f, err == nil
}
