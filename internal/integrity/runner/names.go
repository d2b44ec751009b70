package runner

import (
	"path"
	"regexp"
	"strings"
)

// format is how a file is read and compared.
type format int

const (
	none format = iota
	iniFile
	tomlFile
	packageJSON
	jsonFile
	scriptFile
	yamlFile
	mavenFile
	projectFile // MSBuild
	runSettings
	argumentsFile // a command line, one or more arguments a line
	statements    // a build script, read as blocks of statements
	makefile
	taskfile
	shellScript
	properties
	goModule
	github
	otherCI // a pipeline of another CI system than GitHub's
)

// formatNames are the names of files that run tests or configure what does, in
// lower case.
var formatNames = namesOf(map[format]string{
	iniFile:       "pytest.ini .pytest.ini tox.ini setup.cfg .coveragerc .nycrc.ini",
	tomlFile:      "pyproject.toml cargo.toml tox.toml pytest.toml .pytest.toml nextest.toml bunfig.toml",
	packageJSON:   "package.json",
	jsonFile:      ".mocharc .mocharc.json .mocharc.jsonc .nycrc .nycrc.json .c8rc .c8rc.json xunit.runner.json cypress.json tsconfig.json .babelrc .babelrc.json",
	yamlFile:      ".mocharc.yml .mocharc.yaml .nycrc.yml .nycrc.yaml",
	mavenFile:     "pom.xml",
	projectFile:   "directory.build.props directory.build.targets",
	argumentsFile: ".rspec .rspec-local mocha.opts",
	makefile:      "makefile gnumakefile justfile .justfile",
	taskfile:      "taskfile.yml taskfile.yaml taskfile.dist.yml",
	properties:    "gradle.properties .npmrc",
	goModule:      "go.mod go.work",
	statements:    "rakefile noxfile.py jenkinsfile .simplecov build.sbt",
	github:        "action.yml action.yaml",
})

func namesOf(lists map[format]string) map[string]format {
	out := map[string]format{}
	for f, names := range lists {
		for _, n := range strings.Fields(names) {
			out[n] = f
		}
	}
	return out
}

// formatPaths match paths, in lower case, where a name alone does not tell.
var formatPaths = []struct {
	format format
	match  *regexp.Regexp
}{
	{github, regexp.MustCompile(`^\.github/workflows/[^/]+\.ya?ml$`)},
	{otherCI, regexp.MustCompile(`^(?:\.gitlab-ci|\.travis|\.?azure-pipelines|bitbucket-pipelines|\.drone|\.woodpecker|\.?appveyor|\.cirrus|\.semaphore/semaphore|buildspec|codefresh|(?:\.gitlab/ci|\.gitlab-ci|\.azure-pipelines|\.buildkite|\.woodpecker|\.circleci)/[^/]+)\.ya?ml$`)},
	{scriptFile, regexp.MustCompile(`(?:^|/)(?:(?:vitest|vite|ava|babel|playwright|cypress|karma|wdio|nyc|vitest\.workspace|jest(?:[.-][\w-]+)?)\.(?:config|conf|workspace)\.[cm]?[jt]s|vitest\.workspace\.[cm]?[jt]s|\.mocharc\.[cm]?js)$`)},
	{jsonFile, regexp.MustCompile(`(?:^|/)(?:jest(?:[.-][\w-]+)?\.(?:config\.)?json|tsconfig\.[\w.-]+\.json)$`)},
	{argumentsFile, regexp.MustCompile(`\.mvn/maven\.config$`)},
	{tomlFile, regexp.MustCompile(`\.cargo/config(?:\.toml)?$`)},
	{projectFile, regexp.MustCompile(`\.(?:cs|fs|vb)proj$`)},
	{runSettings, regexp.MustCompile(`\.runsettings$`)},
	{statements, regexp.MustCompile(`\.gradle(?:\.kts)?$|\.rake$`)},
	{makefile, regexp.MustCompile(`\.mk$|(?:^|/)makefile\.[^/]*$`)},
	{shellScript, regexp.MustCompile(`\.(?:sh|bash)$|(?:^|/)(?:script|scripts|bin|ci|hack)/(?:tests?|check|ci|cibuild)$`)},
}

// formatOf tells how a file is read by its path.
func formatOf(p string) format {
	lower := strings.ToLower(p)
	if f, ok := formatNames[path.Base(lower)]; ok {
		return f
	}
	for _, x := range formatPaths {
		if x.match.MatchString(lower) {
			return x.format
		}
	}
	return none
}

// IsConfig reports whether a file's name is that of a runner's configuration,
// or of a build file or script that may run tests. CI workflows are not: see
// IsWorkflow.
func IsConfig(p string) bool { return formatOf(p) != none && !IsWorkflow(p) }

// IsWorkflow reports whether a file is a CI pipeline by its path:
// .github/workflows/*, composite actions, .gitlab-ci.yml and the like.
func IsWorkflow(p string) bool {
	f := formatOf(p)
	return f == github || f == otherCI || strings.EqualFold(path.Base(p), "Jenkinsfile")
}
