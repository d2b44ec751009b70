// Package formats names the formats of measurements that are not read, by what files hold, with the
// command that exports each to one that is: users hand them over by mistake.
package formats

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"strings"
)

// maxHead limits what is looked at of a file, in bytes.
const maxHead = 1 << 20

// format is one that is not read.
type format struct {
	name   string
	begins string         // the file's first bytes, "" for any
	holds  *regexp.Regexp // what its head holds besides; nil for anything
	suffix string         // of the file's name, where its content says nothing
	export string         // the command; FILE is the file's name, FOLDER its folder
}

// coverageFormats are formats of coverage that are not read, with the command that exports one that
// is.
func coverageFormats() []format {
	const (
		nyc  = "npx nyc report --temp-dir FOLDER --reporter=lcovonly"
		lcov = "lcov --capture --directory . --output-file coverage.info"
		llvm = "llvm-cov export --format=lcov --instr-profile=merged.profdata PROGRAM > coverage.info"
	)
	return []format{
		{name: "the database of coverage.py", begins: "SQLite format 3\x00", export: "coverage xml"},
		{name: "the data of an old coverage.py", begins: "!coverage.py:", export: "coverage xml"},
		{
			name: "coverage.py's JSON", begins: "{", holds: regexp.MustCompile(`"executed_lines"\s*:`),
			export: "coverage xml",
		},
		{
			name: "JaCoCo's execution data", begins: "\x01\xc0\xc0",
			export: "java -jar jacococli.jar report FILE --classfiles CLASSES --xml jacoco.xml",
		},
		{name: "gcov's data", begins: "adcg", export: lcov},
		{name: "gcov's data", begins: "gcda", export: lcov},
		{name: "gcov's notes", begins: "oncg", export: lcov},
		{name: "gcov's notes", begins: "gcno", export: lcov},
		{name: "gcov's text", begins: "        -:    0:Source:", export: lcov},
		{
			name: "LLVM's raw profile", begins: "\x81rforpl\xff",
			export: "llvm-profdata merge FILE -o merged.profdata && " + llvm,
		},
		{
			name: "LLVM's raw profile", begins: "\xfflprofr\x81",
			export: "llvm-profdata merge FILE -o merged.profdata && " + llvm,
		},
		{
			name: "LLVM's profile", begins: "\xfflprofi\x81",
			export: strings.ReplaceAll(llvm, "merged.profdata", "FILE"),
		},
		{name: "LLVM's JSON", begins: "{", holds: regexp.MustCompile(`"llvm\.coverage\.json\.export"`), export: llvm},
		{name: "Istanbul's JSON", begins: "{", holds: regexp.MustCompile(`"statementMap"\s*:`), export: nyc},
		{
			name: "Istanbul's summary", begins: "{", holds: regexp.MustCompile(`"lines"\s*:\s*\{\s*"total"`),
			export: nyc,
		},
		{
			name: "V8's coverage", begins: "{", holds: regexp.MustCompile(`"scriptId"\s*:`),
			export: "npx c8 report --temp-directory FOLDER --reporter=lcovonly",
		},
		{
			name: "SimpleCov's result set", begins: "{", holds: regexp.MustCompile(`"coverage"\s*:\s*\{[^{}]*\{?\s*"lines"`),
			export: "SimpleCov.formatter = SimpleCov::Formatter::CoberturaFormatter",
		},
		{name: "Go's coverage data", begins: "\x00cvm", export: "go tool covdata textfmt -i=FOLDER -o=cover.out"},
		{name: "Go's coverage data", begins: "\x00cwm", export: "go tool covdata textfmt -i=FOLDER -o=cover.out"},
		{
			name: "OpenCover's XML", begins: "<", holds: regexp.MustCompile(`<CoverageSession\b`),
			export: "reportgenerator -reports:FILE -targetdir:. -reporttypes:Cobertura",
		},
		{
			name: "Clover's XML", begins: "<", holds: regexp.MustCompile(`<coverage\b[^>]*>\s*<project\b`),
			export: "vendor/bin/phpunit --coverage-cobertura coverage.xml",
		},
		{
			name: "an Xcode result bundle", suffix: ".xcresult",
			export: "xcresultparser --output-format cobertura FILE > coverage.xml",
		},
		{
			name: "Microsoft's coverage data", suffix: ".coverage",
			export: "dotnet-coverage merge -f cobertura -o coverage.xml FILE",
		},
	}
}

// testFormats are formats of test results that are not read, with the command that exports one that
// is.
func testFormats() []format {
	const dotnet = "dotnet test --logger junit"
	return []format{
		{name: "a TRX report", begins: "<", holds: regexp.MustCompile(`<TestRun\b`), export: dotnet},
		{name: "xUnit.net's XML", begins: "<", holds: regexp.MustCompile(`<assemblies\b`), export: dotnet},
		{name: "NUnit's XML", begins: "<", holds: regexp.MustCompile(`<test-run\b`), export: dotnet},
		{
			name: "Jest's JSON", begins: "{", holds: regexp.MustCompile(`"numFailedTests"\s*:`),
			export: "npx jest --reporters=jest-junit",
		},
		{
			name: "pytest's JSON", begins: "{", holds: regexp.MustCompile(`"nodeid"\s*:`),
			export: "pytest --junit-xml=results.xml",
		},
		{
			name: "TAP", holds: regexp.MustCompile(`(?m)\A(?:TAP version \d+|1\.\.\d+)\s*$`),
			export: "node --test --test-reporter=junit",
		},
		{
			name: "an Xcode result bundle", suffix: ".xcresult",
			export: "xcresultparser --output-format junit FILE > results.xml",
		},
	}
}

// Coverage says what a file is that is no coverage report that is read, and how to export it; "" if
// that is not known. Of a folder, data is nil.
func Coverage(name string, data []byte) string { return describe(coverageFormats(), name, data) }

// Tests says the same of test results.
func Tests(name string, data []byte) string { return describe(testFormats(), name, data) }

// describe says what a file is and how to export it, "" if none of the formats is it.
func describe(formats []format, name string, data []byte) string {
	head := data[:min(len(data), maxHead)]
	for _, f := range formats {
		if !f.is(name, head) {
			continue
		}
		fill := strings.NewReplacer("FILE", name, "FOLDER", path.Dir(name))
		return fmt.Sprintf("it is %s, which is not read; export it: %s", f.name, fill.Replace(f.export))
	}
	return ""
}

// is reports whether a file has the format, by its suffix or its first bytes.
func (f format) is(name string, head []byte) bool {
	if f.suffix != "" {
		return strings.HasSuffix(name, f.suffix) && (len(head) == 0 || bytes.IndexByte(head, 0) >= 0)
	}
	return bytes.HasPrefix(head, []byte(f.begins)) && (f.holds == nil || f.holds.Match(head))
}
