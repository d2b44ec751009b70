package java_test

import (
	"testing"

	"workflow-reviewer/internal/integrity/extract/clike/cliketest"
	"workflow-reviewer/internal/integrity/extract/java"
	"workflow-reviewer/internal/syntax"
)

const (
	jupiter = "import static org.junit.jupiter.api.Assertions.*;\nimport org.junit.jupiter.api.Test;\n"
	junit4  = "import static org.junit.Assert.*;\nimport org.junit.Test;\n"
	testng  = "import static org.testng.Assert.*;\nimport org.testng.annotations.Test;\n"
	assertj = "import static org.assertj.core.api.Assertions.*;\nimport org.junit.jupiter.api.Test;\n"
)

func TestAssertions(t *testing.T) {
	for name, tt := range map[string]struct{ imports, src, want string }{
		"message last":             {jupiter, `assertEquals(1, x, "m");`, `asserts equal "assertEquals" of(x) want(1)`},
		"delta last":               {jupiter, `assertEquals(1, x, 0.1);`, `asserts approx "assertEquals" of(x) want(1) tolerance(0.1) tolerance(0.1)`},
		"unknown last is a delta":  {jupiter, `assertEquals(1.0, x, d);`, `asserts approx "assertEquals" of(x) want(1.0) tolerance(d)`},
		"named like a message":     {jupiter, `double message = 9; assertEquals(1.0, x, message);`, `assigns head(double message = 9) binds(message); asserts approx "assertEquals" of(x) want(1.0) tolerance(9) tolerance(message)`},
		"message first":            {junit4, `assertEquals("m", 1, x);`, `asserts equal "assertEquals" of(x) want(1)`},
		"delta last, old":          {junit4, `assertEquals(1.0, x, 0.1);`, `asserts approx "assertEquals" of(x) want(1.0) tolerance(0.1) tolerance(0.1)`},
		"both":                     {junit4, `assertEquals("m", 1.0, x, 0.1);`, `asserts approx "assertEquals" of(x) want(1.0) tolerance(0.1) tolerance(0.1)`},
		"actual first":             {testng, `assertEquals(x, 1, "m");`, `asserts equal "assertEquals" of(x) want(1)`},
		"a message that acts":      {junit4, `assertTrue(String.valueOf(System.exit(0)), x);`, `asserts truthy "true" of(x)`},
		"negated condition":        {jupiter, `assertFalse(a != b);`, `asserts equal "==" of(a) want(b)`},
		"always":                   {jupiter, `assertEquals(1, 1);`, `asserts always "assertEquals" of(1) want(1)`},
		"if fail":                  {jupiter, `if (a > 3 || !b) fail("m");`, `asserts compare "<=" of(a) want(3); asserts truthy "true" of(b)`},
		"if throw":                 {jupiter, `if (!a.equals(b)) { throw new AssertionError(a); }`, `asserts equal "equals" of(a) want(b)`},
		"if throw skip":            {jupiter, `if (x) { throw new TestAbortedException(); }`, `branch head(if x); skip head(throw new TestAbortedException ( ))`},
		"if return":                {jupiter, `if (x) { return; }`, `branch head(if x); returns head(return)`},
		"if fail after return":     {jupiter, `if (x) { if (y) return; fail(); }`, `branch head(if x); branch head(if y); returns head(return); raises head(fail)`},
		"expected exception":       {jupiter, `try { f(); fail(); } catch (FooException e) { }`, `asserts throws "try … fail" want(FooException); plain head(f ( ))`},
		"failure caught":           {jupiter, `try { f(); fail(); } catch (Throwable e) { }`, `try head(try); plain head(f ( )); raises head(fail); handler head(catch ( Throwable e )) SWALLOWS`},
		"rethrown":                 {jupiter, `try { f(); } catch (IOException e) { throw new RuntimeException(e); }`, `try head(try); plain head(f ( )); handler head(catch ( IOException e )); raises head(throw new RuntimeException ( e ))`},
		"returns in finally":       {jupiter, `try { f(); } finally { return; }`, `try head(try); plain head(f ( )); handler head(finally) SWALLOWS; returns head(return)`},
		"description":              {assertj, `assertThat(x).as("m").withFailMessage("n").isEqualTo(1);`, `asserts equal "isEqualTo" of(x) want(1)`},
		"path":                     {assertj, `assertThat(x).extracting("a").first().isNull();`, `asserts nil "isNull" of(x . extracting "a" . first)`},
		"unknown assertion":        {assertj, `assertThat(x).hasFoo(1);`, `asserts custom "hasFoo" of(x) want(1)`},
		"no assertion":             {assertj, `assertThat(x).as("m");`, `asserts custom "assertThat" of(x) LOST`},
		"thrown by nothing":        {assertj, `assertThatExceptionOfType(A.class);`, `asserts custom "assertThatExceptionOfType" LOST`},
		"thrown, any":              {assertj, `assertThatThrownBy(() -> f());`, `asserts throws "assertThatThrownBy" of(f ( ))`},
		"own":                      {jupiter, `assertPrice(x, 1);`, `asserts custom "assertPrice" of(x 1)`},
		"own, its value used":      {jupiter, `int y = checkPrice(x, 1);`, `assigns head(int y = checkPrice ( x , 1 )) binds(y)`},
		"a chain that is not ours": {jupiter, `builder.name("a").build();`, `plain head(builder . name ( "a" ) . build ( ))`},
	} {
		t.Run(name, func(t *testing.T) {
			got := cliketest.Demands(t, syntax.Java, java.Model, tt.imports+"class A { @Test void it() { "+tt.src+" } }")
			if got != tt.want {
				t.Errorf("%s\ngot  %s\nwant %s", tt.src, got, tt.want)
			}
		})
	}
}
