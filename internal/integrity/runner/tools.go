package runner

import (
	"slices"
	"strings"
)

// toolNamed is the test runner of a program's name, nil if it is none.
func toolNamed(name string) *tool {
	t := map[string]func() *tool{
		"pytest": pytest, "py.test": pytest,
		"unittest": unittest, "nose2": unittest, "nose": unittest, "nosetests": unittest,
		"jest": jest, "react-scripts": jest, "vitest": vitest, "mocha": mocha, "_mocha": mocha, "node": node,
		"go": goTest, "gotestsum": gotestsum,
		"mvn": maven, "mvnw": maven, "mvnd": maven, "gradle": gradle, "gradlew": gradle,
		"rspec": rspec, "cargo": cargo, "dotnet": dotnet,
		"npm": npm, "yarn": npm, "pnpm": npm, "bun": npm, "make": makeTool, "gmake": makeTool, "just": makeTool, "task": makeTool,
		"tox": tox, "nox": tox, "phpunit": plainTool("phpunit"), "ctest": plainTool("ctest"), "ava": plainTool("ava"), "tap": plainTool("tap"),
		"bats": plainTool("bats"), "playwright": plainTool("playwright"), "cypress": plainTool("cypress"), "karma": plainTool("karma"),
		"rake": makeTool, "rails": plainTool("rails"), "mix": plainTool("mix"), "swift": plainTool("swift"), "sbt": plainTool("sbt"),
		"bazel": plainTool("bazel"), "deno": plainTool("deno"), "turbo": goalTool("turbo"), "nx": goalTool("nx"), "lerna": goalTool("lerna"),
		"coverage": coverage, "trial": plainTool("trial"), "stestr": plainTool("stestr"), "tape": plainTool("tape"), "uvu": plainTool("uvu"), "jasmine": plainTool("jasmine"),
		"minitest": plainTool("minitest"), "vstest": plainTool("vstest"), "flutter": plainTool("flutter"), "dart": plainTool("dart"),
		"wtr": plainTool("wtr"), "prove": plainTool("prove"), "phpspec": plainTool("phpspec"), "pest": plainTool("pest"), "behave": plainTool("behave"),
		"cucumber": plainTool("cucumber"), "robot": plainTool("robot"), "green": plainTool("green"), "ward": plainTool("ward"),
	}[name]
	if t == nil {
		return nil
	}
	return t()
}

// flagsOf makes a table of flags: each word is a flag with "=" at its end if
// it takes a value, and "|" between its names, of which the last counts.
// Of a flag that stands in several groups the last in the order of effects
// counts.
func flagsOf(groups map[effect]string) map[string]flag {
	out := map[string]flag{}
	for e := changed; e <= commands; e++ {
		for _, word := range strings.Fields(groups[e]) {
			word, valued := strings.CutSuffix(word, "=")
			names := strings.Split(word, "|")
			last := names[len(names)-1]
			out[last] = flag{effect: e, value: valued}
			for _, n := range names[:len(names)-1] {
				out[n] = flag{effect: e, value: valued, alias: last}
			}
		}
	}
	return out
}

func pytest() *tool {
	return &tool{name: "pytest", flags: flagsOf(map[effect]string{
		harmless: "-v|--verbose -q|--quiet -s -x|--exitfirst --maxfail= -l|--showlocals --tb= --color= -r= -n|--numprocesses= --dist= --durations= --durations-min= " +
			"--junitxml|--junit-xml= --junit-prefix= --html= --self-contained-html --cov-report= --cov-branch --cov-append --cov-config= --no-header --no-summary " +
			"--disable-warnings --show-capture= --full-trace --code-highlight= --log-level= --log-cli-level= --log-format= --log-date-format= -ra -rA --cache-clear --ff|--failed-first --nf|--new-first " +
			"--basetemp= --capture= --verbosity= -vv --randomly-seed= --random-order --benchmark-disable --doctest-modules --import-mode= --strict --asyncio-mode= --timeout= --timeout-method= --maxprocesses= " +
			"--force-sugar --instafail --profile --setup-show --report-log= --alluredir= --no-cov-on-fail --cov-context= --benchmark-skip --pastebin= --showlocals --max-worker-restart= --log-file= --reuse-db --create-db --nomigrations",
		strict:    "--cov --strict-markers --strict-config -W|--pythonwarnings= --runslow --run-slow --run-integration --run-all --run-e2e --doctest-glob= --enforce-coverage --cov-enforce --error-for-skips --snapshot-no-update --no-flaky-report",
		threshold: "--cov-fail-under=",
		filter:    "-k= -m= --deselect= --lf|--last-failed --sw|--stepwise --pyargs --testmon --only --picked --co|--collect-only --noconftest --rootdir= -c|--config-file= -o|--override-ini= --confcutdir= --runxfail --setup-only --setup-plan --fixtures --markers --help -h --version --changed --group= --splits= --ignore-flaky --sw-skip|--stepwise-skip",
		exclude:   "--ignore= --ignore-glob=",
		loose:     "--suppress-no-test-exit-code --continue-on-collection-errors --no-cov --snapshot-update --inline-snapshot= --exit-zero --suppress-tests-failed-exit-code --suppress-tests-failed --force-regen --regen-all --golden-update --disable-pytest-warnings --allow-skip --flaky-report",
		retries:   "--reruns= --flaky --max-runs= --force-flaky --reruns-delay= --only-rerun= --retries=",
		loads:     "-p=",
	})}
}

func unittest() *tool {
	return &tool{name: "unittest", goals: true, flags: flagsOf(map[effect]string{
		harmless: "-v|--verbose -q|--quiet -b|--buffer -f|--failfast -c|--catch --locals --durations= -t|--top-level-directory=",
		filter:   "-k= -p|--pattern= -s|--start-directory= --with-id -a|--attr= -e|--exclude= -m|--match= -i|--include=",
		changed:  "discover",
	})}
}

const jestHarmless = "test --verbose --silent --ci --colors --color --coverage --collectCoverage --coverageReporters= --coverageDirectory= --runInBand|-i -w|--maxWorkers= --logHeapUsage " +
	"--detectOpenHandles --forceExit --json --outputFile= --no-cache --bail|-b --expand|-e --watchAll=false --watch=false --randomize --seed= --cache --notify --no-watchman --detectLeaks " +
	"--workerThreads --useStderr --testTimeout= --showSeed --errorOnDeprecated --maxConcurrency= --noStackTrace --debug --no-coverage --cacheDirectory= --reporters="

func jest() *tool {
	return &tool{name: "jest", flags: flagsOf(map[effect]string{
		harmless:  jestHarmless,
		strict:    "--coverage --collectCoverage --ci",
		threshold: "--coverageThreshold=",
		filter: "-t|--testNamePattern= --testPathPattern= --testPathPatterns= --testMatch= --testRegex= --selectProjects= --onlyChanged|-o --onlyFailures|-f --findRelatedTests --changedSince= --lastCommit --shard= " +
			"--runTestsByPath --config|-c= --rootDir= --roots= --projects= --filter= --listTests --showConfig --help --version --changedFilesWithAncestor",
		exclude: "--testPathIgnorePatterns= --ignoreProjects= --modulePathIgnorePatterns= --coveragePathIgnorePatterns=",
		loose:   "--passWithNoTests --updateSnapshot|-u --no-ci --watch --watchAll --collectCoverage=false --coverage=false",
		loads:   "--setupFiles= --setupFilesAfterEnv= --globalSetup= --globalTeardown= --env= --testEnvironment= --runner= --testRunner= --transform= --moduleNameMapper= --preset= --resolver= --globals= --automock",
	})}
}

func vitest() *tool {
	return &tool{name: "vitest", flags: flagsOf(map[effect]string{
		harmless: "--silent --reporter= --outputFile= --no-color --color --pool= --poolOptions= --threads --no-threads --single-thread --maxWorkers= --minWorkers= --bail= --ui=false --watch=false --no-watch --isolate --no-file-parallelism " +
			"--logHeapUsage --hideSkippedTests --testTimeout= --hookTimeout= --teardownTimeout= --globals --clearScreen= --sequence= --typecheck --no-cache --segfault-retry= --open=false --run run --coverage.reporter= --coverage.provider= --api=",
		strict:    "--coverage --coverage.enabled",
		threshold: "--coverage.thresholds.lines= --coverage.thresholds.branches= --coverage.thresholds.functions= --coverage.thresholds.statements= --coverage.thresholds.100",
		filter:    "-t|--testNamePattern= --dir= -r|--root= -c|--config= --project= --changed --shard= related --standalone --config.include= --environment= --mode= --expandSnapshotDiff --list --help --version",
		exclude:   "--exclude= --coverage.exclude=",
		loose:     "--passWithNoTests --allowOnly --dangerouslyIgnoreUnhandledErrors -u|--update -w|--watch --ui",
		retries:   "--retry=",
		loads:     "--runner= --setupFiles= --globalSetup= --alias=",
	})}
}

func mocha() *tool {
	return &tool{name: "mocha", flags: flagsOf(map[effect]string{
		harmless: "-R|--reporter= -O|--reporter-option|--reporter-options= -t|--timeout= -s|--slow= -c|--color|--colors --no-color -b|--bail -u|--ui= --diff --full-trace --inline-diffs -p|--parallel -j|--jobs= --exit --no-exit " +
			"-S|--sort --trace-warnings --no-warnings --enable-source-maps --no-timeouts --delay --retries=0",
		strict:  "--recursive --forbid-only --forbid-pending --check-leaks -A|--async-only --fail-zero",
		filter:  "-g|--grep= -f|--fgrep= -i|--invert --config= --no-config --package= --no-package --spec= --dry-run --list-files --help --version -w|--watch --opts=",
		include: "--extension=",
		exclude: "--ignore|--exclude=",
		loose:   "--pass-on-failing-test-suite --allow-uncaught",
		retries: "--retries=",
		loads:   "-r|--require= --file= --import= --loader= -n|--node-option= --experimental-loader= --global=",
	})}
}

func node() *tool {
	return &tool{name: "node --test", sameAs: "node", flags: flagsOf(map[effect]string{
		harmless:  "--test --test-reporter= --test-reporter-destination= --test-concurrency= --experimental-test-coverage --enable-source-maps --no-warnings --trace-warnings --experimental-strip-types --experimental-vm-modules --test-timeout=",
		strict:    "--throw-deprecation --unhandled-rejections=",
		filter:    "--test-name-pattern= --test-skip-pattern= --test-only --test-shard= --watch --check -c --version -v --help -h --test-rerun-failures=",
		exclude:   "--test-coverage-exclude=",
		loose:     "--test-update-snapshots",
		threshold: "--test-coverage-lines= --test-coverage-branches= --test-coverage-functions=",
		loads:     "-r|--require= --import= --loader= --experimental-loader= --experimental-test-module-mocks --test-global-setup= --env-file= -e= --eval= -p= --experimental-test-isolation= --test-isolation=",
	})}
}

func goTest() *tool {
	return &tool{name: "go", sameAs: "go test", single: true, flags: flagsOf(map[effect]string{
		harmless: "-v -json -count= -cover -coverprofile= -covermode= -coverpkg= -shuffle= -parallel= -p= -cpu= -timeout= -failfast -bench= -benchmem -benchtime= -x -n=false -o= -outputdir= -cpuprofile= -memprofile= -trace= -trimpath -a -buildvcs= -fullpath -artifacts -work",
		strict:   "-race -vet= -msan -asan -fuzz=",
		filter:   "-run= -skip= -short -list= -tags= -c -i -n -mod= -modfile= -overlay= -fuzztime= -C=",
		loads:    "-exec= -toolexec= -ldflags= -gcflags= -args -update",
	})}
}

func gotestsum() *tool {
	t := goTest()
	t.name = "gotestsum"
	for _, name := range []string{"--format", "-f", "--junitfile", "--jsonfile", "--packages", "--no-color", "--hide-summary", "--debug", "--format-icons", "--max-fails", "--no-summary"} {
		t.flags[name] = flag{effect: harmless, value: slices.Contains([]string{"--format", "-f", "--junitfile", "--jsonfile", "--max-fails"}, name)}
	}
	t.flags["--rerun-fails"] = flag{effect: retries}
	t.flags["--post-run-command"] = flag{effect: loads, value: true}
	return t
}
