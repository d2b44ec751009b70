package runner

import (
	"path"
	"regexp"
	"slices"
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
	statements    // a build script, compared statement by statement
	makefile
	taskfile
	shellScript
	properties
	goModule
	github
	otherCI // of another CI system
)

// formatOf tells how a file is read by its path.
func formatOf(p string) format {
	lower := strings.ToLower(path.Base(p))
	switch lower {
	case "pytest.ini", ".pytest.ini", "tox.ini", "setup.cfg", ".coveragerc", ".nycrc.ini":
		return iniFile
	case "pyproject.toml", "cargo.toml", "tox.toml", "pytest.toml", ".pytest.toml", "nextest.toml", "bunfig.toml":
		return tomlFile
	case "package.json":
		return packageJSON
	case ".mocharc", ".mocharc.json", ".mocharc.jsonc", ".nycrc", ".nycrc.json", ".c8rc", ".c8rc.json", "xunit.runner.json", "cypress.json", "tsconfig.json", ".babelrc", ".babelrc.json":
		return jsonFile
	case ".mocharc.yml", ".mocharc.yaml", ".nycrc.yml", ".nycrc.yaml":
		return yamlFile
	case "pom.xml":
		return mavenFile
	case "directory.build.props", "directory.build.targets":
		return projectFile
	case ".rspec", ".rspec-local", "mocha.opts":
		return argumentsFile
	case "makefile", "gnumakefile", "justfile", ".justfile":
		return makefile
	case "taskfile.yml", "taskfile.yaml", "taskfile.dist.yml":
		return taskfile
	case "gradle.properties", ".npmrc":
		return properties
	case "go.mod", "go.work":
		return goModule
	case "rakefile", "noxfile.py", "jenkinsfile", ".simplecov", "build.sbt":
		return statements
	}
	return formatByPattern(p, lower)
}

var (
	scriptConfig = regexp.MustCompile(`^(?:jest|vitest|vite|ava|babel|playwright|cypress|karma|wdio|nyc|vitest\.workspace|jest[.-][\w-]+)\.(?:config|conf|workspace)\.[cm]?[jt]s$|^vitest\.workspace\.[cm]?[jt]s$|^\.mocharc\.[cm]?js$`)
	jsonConfig   = regexp.MustCompile(`^jest(?:[.-][\w-]+)?\.(?:config\.)?json$|^tsconfig\.[\w.-]+\.json$`)
	testRunner   = regexp.MustCompile(`(?i)(?:^|/)(?:run[_-]?)?(?:unit[_-]?|all[_-]?|ci[_-]?)?(?:tests?|check|specs?)(?:[_-][\w-]+)?\.(?:sh|bash)$|(?:^|/)(?:script|scripts|bin|ci|hack)/(?:tests?|check|ci|cibuild)$|(?:^|/)[\w-]+[_-]tests?\.(?:sh|bash)$`)
)

func formatByPattern(p, lower string) format {
	switch {
	case githubWorkflow(p):
		return github
	case otherPipeline(p):
		return otherCI
	case scriptConfig.MatchString(lower):
		return scriptFile
	case jsonConfig.MatchString(lower):
		return jsonFile
	case strings.HasSuffix(p, ".mvn/maven.config"):
		return argumentsFile
	case strings.HasSuffix(p, ".cargo/config.toml") || strings.HasSuffix(p, ".cargo/config"):
		return tomlFile
	case slices.Contains([]string{".csproj", ".fsproj", ".vbproj"}, path.Ext(lower)):
		return projectFile
	case path.Ext(lower) == ".runsettings":
		return runSettings
	case slices.Contains([]string{"build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"}, lower), strings.HasSuffix(lower, ".gradle"), strings.HasSuffix(lower, ".gradle.kts"):
		return statements
	case path.Ext(lower) == ".mk" || strings.HasPrefix(lower, "makefile."):
		return makefile
	case path.Ext(lower) == ".sh" || path.Ext(lower) == ".bash":
		return shellScript
	case path.Ext(lower) == ".rake":
		return statements
	case testRunner.MatchString(p):
		return shellScript
	default:
		return none
	}
}

func githubWorkflow(p string) bool {
	p = strings.ToLower(p)
	ext := path.Ext(p)
	if ext != ".yml" && ext != ".yaml" {
		return false
	}
	if path.Dir(p) == ".github/workflows" {
		return true
	}
	base := path.Base(p)
	return base == "action.yml" || base == "action.yaml"
}

func otherPipeline(p string) bool {
	switch strings.ToLower(p) {
	case ".gitlab-ci.yml", ".travis.yml", ".circleci/config.yml", "azure-pipelines.yml", ".azure-pipelines.yml", "bitbucket-pipelines.yml",
		".drone.yml", ".woodpecker.yml", "appveyor.yml", ".appveyor.yml", ".cirrus.yml", ".buildkite/pipeline.yml", ".semaphore/semaphore.yml", "buildspec.yml", "codefresh.yml":
		return true
	}
	dir, ext := path.Dir(p), path.Ext(p)
	return (ext == ".yml" || ext == ".yaml") && slices.Contains([]string{".gitlab/ci", ".gitlab-ci", ".azure-pipelines", ".buildkite", ".woodpecker", ".circleci"}, dir)
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
