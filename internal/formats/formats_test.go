package formats_test

import (
	"strings"
	"testing"

	"workflow-reviewer/internal/coverage"
	"workflow-reviewer/internal/testresult"
)

// TestCoverage: who hands over what a tool keeps for itself is told the command that exports it.
func TestCoverage(t *testing.T) {
	for name, c := range map[string]struct{ file, data, want string }{
		"coverage.py":     {".coverage", "SQLite format 3\x00\x10\x00\x01\x01\x00\x40\x20\x20", "coverage xml"},
		"by another name": {"out/unit.db", "SQLite format 3\x00\x10\x00", "coverage xml"},
		"coverage.py 4": {
			".coverage", `!coverage.py: This is a private format, don't read it directly!{"lines":{}}`,
			"coverage xml",
		},
		"coverage.py's JSON": {
			"coverage.json", `{"meta": {"version": "7.6"}, "files": {"a.py": {"executed_lines": [1]}}}`,
			"coverage xml",
		},
		"JaCoCo": {
			"build/jacoco/test.exec", "\x01\xc0\xc0\x10\x07\x10\x00", "report build/jacoco/test.exec --classfiles",
		},
		"gcda":     {"a.gcda", "adcg*22B\x7f\x09", "lcov --capture"},
		"gcno":     {"a.gcno", "oncg*22B\x7f\x09", "lcov --capture"},
		"gcov":     {"a.c.gcov", "        -:    0:Source:a.c\n", "lcov --capture"},
		"profraw":  {"default.profraw", "\x81rforpl\xff\x0a\x00", "llvm-profdata merge default.profraw"},
		"profdata": {"x.profdata", "\xfflprofi\x81\x0c\x00", "--instr-profile=x.profdata"},
		"llvm-cov export": {
			"c.json", `{"data":[],"type":"llvm.coverage.json.export","version":"2.0.1"}`, "--format=lcov",
		},
		"Istanbul": {
			"coverage/coverage-final.json", `{"/src/a.ts": {"path":"/src/a.ts","statementMap":{"0":{}}}}`,
			"--temp-dir coverage ",
		},
		"Istanbul's summary": {
			"coverage-summary.json", `{"total": {"lines":{"total":5,"covered":4,"skipped":0,"pct":80}}}`,
			"nyc report",
		},
		"V8": {
			"tmp/coverage-1.json", `{"result":[{"scriptId":"6","url":"file:///a.js","functions":[]}]}`,
			"c8 report --temp-directory tmp",
		},
		"SimpleCov": {
			".resultset.json", `{"RSpec": {"coverage": {"/a.rb": {"lines": [1, null]}}, "timestamp": 1}}`,
			"CoberturaFormatter",
		},
		"Go's meta data": {"cov/covmeta.1a6d", "\x00cvm\x01\x00", "go tool covdata textfmt -i=cov"},
		"Go's counters":  {"cov/covcounters.1a6d", "\x00cwm\x01\x00", "go tool covdata textfmt -i=cov"},
		"OpenCover": {
			"c.xml", `<?xml version="1.0"?><CoverageSession><Summary/></CoverageSession>`,
			"reportgenerator -reports:c.xml",
		},
		"Clover": {
			"clover.xml",
			"<?xml version=\"1.0\"?>\n<coverage generated=\"1\">\n  <project timestamp=\"1\"/></coverage>",
			"--coverage-cobertura",
		},
		"Microsoft's": {
			"TestResults/a.coverage", "\x00\x01binary",
			"dotnet-coverage merge -f cobertura -o coverage.xml TestResults/a.coverage",
		},
		"text of another kind": {"x.txt", "coverage: 80 %", "neither Cobertura XML"},
		"any other JSON":       {"x.json", `{"coverage": 80}`, "neither Cobertura XML"},
	} {
		_, err := coverage.Parse(c.file, []byte(c.data))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	lcov := "TN:\nSF:a.js\nDA:1,1\nend_of_record\n"
	for _, data := range []string{lcov, "\ufeff" + lcov, utf16(lcov), utf16("mode: set\na.go:1.1,2.2 1 1\n")} {
		if r, err := coverage.Parse("x.coverage", []byte(data)); err != nil || r.Lines.Covered != 1 {
			t.Errorf("%q: %+v, %v", data, r, err)
		}
	}
}

// TestTests: the same of test results.
func TestTests(t *testing.T) {
	for name, c := range map[string]struct{ file, data, want string }{
		"TRX": {
			"a.trx", "\ufeff<?xml version=\"1.0\"?>\n<TestRun id=\"1\"></TestRun>", "dotnet test --logger junit",
		},
		"xUnit": {"a.xml", `<assemblies timestamp="x"></assemblies>`, "dotnet test --logger junit"},
		"NUnit": {"a.xml", `<?xml version="1.0"?><test-run id="0"></test-run>`, "dotnet test --logger junit"},
		"Jest":  {"a.json", `{"numFailedTestSuites":0,"numFailedTests":0,"testResults":[]}`, "jest-junit"},
		"pytest": {
			"a.json", "{\"created\": 1, \"tests\": [{\"nodeid\": \"test_a.py::test_a\"}]}", "pytest --junit-xml",
		},
		"TAP":   {"a.tap", "TAP version 13\nok 1 - a\n1..1\n", "--test-reporter=junit"},
		"prose": {"a.txt", "47 passed", "neither JUnit XML nor"},
	} {
		_, err := testresult.Parse(c.file, []byte(c.data))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	events := `{"Action":"pass","Package":"a","Test":"TestA"}` + "\n" + `{"Action":"pass","Package":"a"}` + "\n"
	for _, data := range []string{
		events, "\ufeff" + events, utf16(events),
		utf16(`<testsuite><testcase name="a"/></testsuite>`), "\ufeffall passing",
	} {
		if s, err := testresult.Parse("x", []byte(data)); err != nil || s.Passed != 1 && !s.Stated {
			t.Errorf("%q: %+v, %v", data, s, err)
		}
	}
}

// utf16 is what a shell of Windows writes for ">".
func utf16(ascii string) string {
	out := "\xff\xfe"
	for _, c := range []byte(ascii) {
		out += string([]byte{c, 0})
	}
	return out
}
