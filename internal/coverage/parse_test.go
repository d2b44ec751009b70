package coverage_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"workflow-reviewer/internal/coverage"
)

func read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func parse(t testing.TB, data string) coverage.Report {
	t.Helper()
	r, err := coverage.Parse("r", []byte(data))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

var exported = cmpopts.IgnoreUnexported(coverage.FileCoverage{})

type (
	ratio = coverage.Ratio
	file  = coverage.FileCoverage
)

func TestParseFiles(t *testing.T) {
	for name, want := range map[string]coverage.Report{
		"cobertura.xml": {Lines: ratio{4, 5}, Branches: ratio{1, 2}, Files: []file{
			{Path: "cart.py", Lines: ratio{1, 1}},
			{Path: "login.py", Lines: ratio{3, 4}, Branches: ratio{1, 2}},
		}},
		"jacoco.xml": {Lines: ratio{3, 4}, Branches: ratio{3, 4}, Files: []file{
			{Path: "com/example/Cart.java", Lines: ratio{3, 4}, Branches: ratio{3, 4}},
		}},
		"lcov.info": {Lines: ratio{3, 5}, Branches: ratio{1, 2}, Files: []file{
			{Path: "src/cart.ts", Lines: ratio{1, 1}},
			{Path: "src/login.ts", Lines: ratio{2, 4}, Branches: ratio{1, 2}},
		}},
		"cover.out": {Lines: ratio{3, 6}, Files: []file{
			{Path: "example.com/shop/cart.go", Lines: ratio{2, 5}},
			{Path: "example.com/shop/login.go", Lines: ratio{1, 1}},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			got := parse(t, string(read(t, name)))
			if diff := cmp.Diff(want, got, exported); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	cobertura := string(read(t, "cobertura.xml"))
	for name, tc := range map[string]struct{ in, want string }{
		"empty":             {" \n", "empty"},
		"prose":             {"coverage: 81.2% of statements", "neither"},
		"other XML":         {"<testsuite/>", "<testsuite> is neither"},
		"clover":            {`<coverage generated="1"><project/></coverage>`, "no Cobertura"},
		"other report":      {`<report><x/></report>`, "no JaCoCo"},
		"no debug":          {`<report><counter type="INSTRUCTION" missed="0" covered="9"/></report>`, "debug information"},
		"cut XML":           {cobertura[:len(cobertura)-30], "EOF"},
		"impossible branch": {strings.Replace(cobertura, "(1/2)", "(3/2)", 1), "3 of 2"},
		"negative line":     {strings.Replace(cobertura, `number="3"`, `number="-3"`, 1), "no count"},
		"hits of nothing":   {strings.Replace(cobertura, `hits="0"`, `hits="many"`, 1), "no number"},
		"cut lcov":          {"TN:\nSF:a.c\nDA:1,1\n", "end_of_record"},
		"cut lcov, twice":   {"SF:a.c\nDA:1,1\nSF:b.c\nend_of_record\n", "lcov line 3"},
		"stray lcov":        {"TN:\nDA:1,1\n", "outside of a file"},
		"lcov line":         {"SF:a\nDA:x,1\nend_of_record", "no count"},
		"lcov count":        {"SF:a\nDA:1,x\nend_of_record", "no count"},
		"lcov no count":     {"SF:a\nDA:1\nend_of_record", "has no count"},
		"lcov branch":       {"SF:a\nBRDA:1,0,1\nend_of_record", "has no count"},
		"go line":           {"mode: set\nnonsense\n", "go cover profile"},
		"go negative":       {"mode: set\na.go:1.1,2.2 -1 1\n", "go cover profile"},
		"go huge":           {"mode: set\na.go:1.1,2.2 9000000 1\n", "9000000 statements"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := coverage.Parse("r", []byte(tc.in))
			if err == nil || !strings.Contains(err.Error(), tc.want) || !strings.Contains(err.Error(), `"r"`) {
				t.Errorf("got error %v, want one with %q and the name", err, tc.want)
			}
		})
	}
}

func TestNothingMeasured(t *testing.T) {
	for name, in := range map[string]string{
		"go":        "mode: set\n",
		"lcov":      "TN:\n",
		"cobertura": "<coverage><packages/></coverage>",
	} {
		if r := parse(t, in); r.Lines.Measured() || r.Branches.Measured() {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

func TestMerge(t *testing.T) {
	unit := parse(t, "SF:a.c\nDA:1,1\nDA:2,0\nBRDA:1,0,0,1\nBRDA:1,0,1,0\nend_of_record\n")
	integration := parse(t, "SF:./a.c\nDA:2,5\nDA:3,0\nBRDA:1,0,1,2\nend_of_record\nSF:b.c\nDA:1,0\nend_of_record\n")
	want := coverage.Report{Lines: ratio{2, 4}, Branches: ratio{2, 2}, Files: []file{
		{Path: "a.c", Lines: ratio{2, 3}, Branches: ratio{2, 2}},
		{Path: "b.c", Lines: ratio{0, 1}},
	}}
	if diff := cmp.Diff(want, coverage.Merge(unit, integration), exported); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, coverage.Merge(integration, coverage.Merge(unit, unit)), exported); diff != "" {
		t.Errorf("the order or number of reports matters (-want +got):\n%s", diff)
	}
	if coverage.Merge().Lines.Measured() {
		t.Error("nothing merged is measured")
	}
}

func TestRatio(t *testing.T) {
	for _, tc := range []struct {
		ratio ratio
		text  string
		below bool // 80
	}{
		{ratio{0, 0}, "not measured", false},
		{ratio{0, 3}, "0.0 %", true},
		{ratio{712, 1000}, "71.2 %", true},
		{ratio{7999, 10000}, "79.9 %", true},
		{ratio{4, 5}, "80.0 %", false},
		{ratio{3, 3}, "100.0 %", false},
	} {
		if got := tc.ratio.String(); got != tc.text {
			t.Errorf("%v: got %q, want %q", tc.ratio, got, tc.text)
		}
		if got := tc.ratio.Below(80); got != tc.below {
			t.Errorf("%v: Below(80) = %t", tc.ratio, got)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, name := range []string{"cobertura.xml", "jacoco.xml", "lcov.info", "cover.out"} {
		f.Add(read(f, name))
	}
	f.Add([]byte("SF:a\nDA:1,1e999\nDA:1,NaN\nend_of_record"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := coverage.Parse("r", data)
		if err != nil {
			return
		}
		for _, report := range []coverage.Report{r, coverage.Merge(r, r)} {
			for _, x := range []ratio{report.Lines, report.Branches} {
				if x.Covered < 0 || x.Covered > x.Total || x.Percent() < 0 || x.Percent() > 100 {
					t.Errorf("impossible ratio %+v", x)
				}
			}
		}
		if diff := cmp.Diff(r, coverage.Merge(r, r), exported); diff != "" {
			t.Errorf("merging a report with itself changes it:\n%s", diff)
		}
	})
}
