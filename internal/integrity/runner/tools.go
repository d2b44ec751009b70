package runner

import "strings"

// tool is a program that runs tests, and what its arguments mean.
type tool struct {
	name string
	// flags by their names. One that is not listed may be anything: any
	// difference of it counts.
	flags map[string]flag
	// sameAs joins tools that run the same tests: gotestsum and go test.
	sameAs string
	// goals: plain arguments are what to do, not which tests to run.
	goals bool
	// single: long flags have one dash, as Go's do.
	single bool
}

// flag is what a flag may do without harm: free to come and go, strict to come,
// higher to rise.
type flag struct {
	allowance string
	value     bool   // takes a value
	alias     string // the flag's other name
}

// toolOf is a row of the table of tools. Each word is a flag, with "=" at its
// end if it takes a value, and "|" between its names. other are flags of which
// only that is known.
type toolOf struct {
	names                       string // of its programs; the first is the tool's
	like                        string // the family
	goals, single               bool
	free, strict, higher, other string
}

// plainFree and plainOther are for runners of which little needs to be known.
const (
	plainFree  = "-v --verbose -q --quiet --color --colors --no-color --reporter= --formatter= --timeout= -j= --jobs= --parallel= --coverage"
	plainOther = "--filter= --grep= --grep-invert= -g= --match= -t= --tags= --exclude= --only= --skip= -k= -R= -E= --spec= --project= --shard= -n= --name= --suite= --group= --include= --retries= --repeat="
)

var jestRow = toolOf{
	names: "jest react-scripts",
	free: "test --verbose --silent --colors --color --coverageReporters= --coverageDirectory= --runInBand|-i -w|--maxWorkers= --logHeapUsage --detectOpenHandles --forceExit --json --outputFile= " +
		"--no-cache --bail|-b --expand|-e --randomize --seed= --cache --notify --no-watchman --detectLeaks --workerThreads --useStderr --testTimeout= --showSeed --maxConcurrency= --noStackTrace --cacheDirectory=",
	strict: "--coverage --collectCoverage --ci --errorOnDeprecated",
	other: "-t|--testNamePattern= --testPathPattern= --testPathPatterns= --testMatch= --testRegex= --selectProjects= --findRelatedTests --changedSince= --shard= --config|-c= --rootDir= --roots= --projects= " +
		"--filter= --testPathIgnorePatterns= --ignoreProjects= --setupFiles= --setupFilesAfterEnv= --globalSetup= --env= --testEnvironment= --runner= --transform= --moduleNameMapper= --preset= --resolver= --reporters= --coverageThreshold=",
}

var vitestRow = toolOf{
	names: "vitest",
	free: "run --run --silent --outputFile= --no-color --color --pool= --threads --no-threads --single-thread --maxWorkers= --minWorkers= --bail= --no-watch --isolate --no-file-parallelism --logHeapUsage " +
		"--hideSkippedTests --testTimeout= --hookTimeout= --teardownTimeout= --typecheck --no-cache --coverage.reporter= --coverage.provider=",
	strict: "--coverage --coverage.enabled",
	higher: "--coverage.thresholds.lines= --coverage.thresholds.branches= --coverage.thresholds.functions= --coverage.thresholds.statements=",
	other:  "-t|--testNamePattern= --dir= -r|--root= -c|--config= --project= --changed --shard= --environment= --mode= --exclude= --retry= --reporter=",
}

var mochaRow = toolOf{
	names: "mocha _mocha",
	free: "-O|--reporter-option|--reporter-options= -t|--timeout= -s|--slow= -c|--color|--colors --no-color -b|--bail --diff --full-trace --inline-diffs -p|--parallel -j|--jobs= --exit --no-exit -S|--sort " +
		"--trace-warnings --no-warnings --enable-source-maps --no-timeouts",
	strict: "--recursive --forbid-only --forbid-pending --check-leaks -A|--async-only --fail-zero",
	other:  "-R|--reporter= -u|--ui= -g|--grep= -f|--fgrep= --config= --package= --spec= --extension= --ignore|--exclude= --retries= -r|--require= --file= --import= --loader= -n|--node-option=",
}

var goFree = "-v -json -count= -cover -coverprofile= -covermode= -coverpkg= -shuffle= -parallel= -p= -cpu= -timeout= -failfast -bench= -benchmem -benchtime= -x -outputdir= -cpuprofile= -memprofile= -trace= -trimpath -a -fullpath -work"

// toolTable is what is known of each runner. Nothing in it forgives a flag that
// picks tests, loads code, or lets failures pass: such a flag is not named, or
// among the others.
var toolTable = []toolOf{
	{
		names: "pytest py.test",
		free: "-v|--verbose -q|--quiet -s -x|--exitfirst --maxfail= -l|--showlocals --tb= --color= -r= -n|--numprocesses= --dist= --durations= --durations-min= --junitxml|--junit-xml= --junit-prefix= --html= " +
			"--self-contained-html --cov-report= --cov-branch --cov-append --no-header --no-summary --disable-warnings --show-capture= --full-trace --code-highlight= --log-level= --log-cli-level= --log-format= --log-date-format= -ra -rA " +
			"--cache-clear --ff|--failed-first --nf|--new-first --basetemp= --capture= --verbosity= -vv --randomly-seed= --random-order --benchmark-disable --doctest-modules --timeout= --timeout-method= --maxprocesses= --force-sugar --instafail " +
			"--profile --setup-show --report-log= --alluredir= --benchmark-skip --pastebin= --max-worker-restart= --log-file= --reuse-db --create-db",
		strict: "--cov --strict --strict-markers --strict-config --runslow --run-slow --run-integration --run-all --run-e2e --doctest-glob= --error-for-skips",
		higher: "--cov-fail-under=",
		other: "-k= -m= --deselect= --rootdir= -c|--config-file= -o|--override-ini= --confcutdir= --group= --splits= --ignore= --ignore-glob= --inline-snapshot= --max-runs= --reruns= --reruns-delay= --only-rerun= --retries= -p= --cov-config= --import-mode= " +
			"--asyncio-mode= --lf|--last-failed --sw|--stepwise -W|--pythonwarnings=",
	},
	{names: "unittest nose2 nose nosetests", goals: true, free: "-v|--verbose -q|--quiet -b|--buffer -f|--failfast -c|--catch --locals --durations=", other: "-k= -p|--pattern= -s|--start-directory= -t|--top-level-directory= -a|--attr= -e|--exclude= -m|--match= -i|--include="},
	jestRow, vitestRow, mochaRow,
	{
		names: "node", like: "node", free: "--test --test-reporter= --test-reporter-destination= --test-concurrency= --experimental-test-coverage --enable-source-maps --no-warnings --trace-warnings --experimental-strip-types --test-timeout=",
		strict: "--throw-deprecation", higher: "--test-coverage-lines= --test-coverage-branches= --test-coverage-functions=",
		other: "--test-name-pattern= --test-skip-pattern= --test-shard= --test-coverage-exclude= -r|--require= --import= --loader= --experimental-loader= --test-global-setup= --env-file= -e= --eval= -p= --test-isolation=",
	},
	{names: "go", like: "go test", single: true, free: goFree, strict: "-race -msan -asan", other: "-vet= -run= -skip= -list= -tags= -mod= -modfile= -overlay= -fuzz= -fuzztime= -C= -exec= -toolexec= -ldflags= -gcflags= -o="},
	{
		names: "gotestsum", like: "go test", single: true, strict: "-race -msan -asan", other: "-run= -skip= -tags= -exec= --rerun-fails --post-run-command=",
		free: goFree + " --format= -f= --junitfile= --jsonfile= --no-color --hide-summary= --debug --format-icons= --max-fails= --no-summary",
	},
	{
		names: "maven mvn mvnw mvnd", goals: true, other: "-pl|--projects= -rf|--resume-from= -f|--file= -P|--activate-profiles= -s|--settings=",
		free: "-q|--quiet -B|--batch-mode -ntp|--no-transfer-progress -e|--errors -X|--debug -U|--update-snapshots -T|--threads= -V|--show-version -v --color= -o|--offline -ff|--fail-fast -fae|--fail-at-end -C|--strict-checksums -nsu clean -DfailIfNoTests|-Dsurefire.failIfNoSpecifiedTests -Dstyle.color= -Dmaven.javadoc.skip=",
	},
	{
		names: "gradle gradlew", goals: true, other: "--tests= -x|--exclude-task= -p|--project-dir= -b|--build-file= -I|--init-script=",
		free: "-q|--quiet -i|--info -d|--debug -s|--stacktrace -S|--full-stacktrace --no-daemon --daemon --parallel --build-cache --no-build-cache --console= --scan --warning-mode= --max-workers= --refresh-dependencies --configuration-cache --no-configuration-cache --offline --rerun-tasks --continue --profile --warn clean",
	},
	{
		names: "rspec", strict: "--fail-if-no-examples", other: "-t|--tag= -e|--example= -E|--example-matches= -P|--pattern= --default-path= -O|--options= --exclude-pattern= --failure-exit-code= --error-exit-code= -r|--require= -I=",
		free: "-f|--format= -o|--out= -c|--color|--colour --force-color --no-color -b|--backtrace --order= --seed= --profile -p -w|--warnings --fail-fast --no-fail-fast --deprecation-out=",
	},
	{
		names: "cargo", like: "cargo test",
		free: "-v|--verbose -q|--quiet --color= --locked --frozen --offline -j|--jobs= --no-fail-fast --nocapture --test-threads= --release --message-format= --all --workspace --show-output --timings --fail-fast --target-dir= --keep-going nextest run --status-level= " +
			"--final-status-level= --failure-output= --success-output= --no-capture --ignore-rust-version",
		strict: "--all-features --all-targets --include-ignored --doc --tests", higher: "--fail-under= --fail-under-lines= --fail-under-regions= --fail-under-functions=",
		other: "--bin= --test= --example= --bench= -p|--package= --exclude= --skip= -F|--features= --manifest-path= --target= -E|--filter-expr= -P|--profile= --cargo-profile= --partition= --no-tests= --retries= --config= --tool-config-file=",
	},
	{
		names: "dotnet", like: "dotnet test", higher: "/p:Threshold= -p:Threshold= --threshold=", other: "-f|--framework= --filter= -s|--settings= -a|--arch= --os= --runtime= -e|--environment= -p|--property= --test-adapter-path= -o|--output=",
		free: "-v|--verbosity= -c|--configuration= --no-build --no-restore --nologo -l|--logger= -r|--results-directory= --collect= --blame --blame-crash --blame-hang --blame-hang-timeout= -d|--diag= --tl --report-trx",
	},
	{
		names: "npm yarn pnpm bun", like: "npm", goals: true, other: "-w|--workspace= --filter= -F= --prefix= --cwd= -C|--dir= --since= --scope= --only= --exclude= --ignore=",
		free: "-s|--silent --quiet --verbose --loglevel= --no-color --color --frozen-lockfile --no-audit --no-fund --parallel --stream -r|--recursive --workspaces -ws --topological -A|--all --no-update-notifier --fail-fast --concurrency=",
	},
	{
		names: "make gmake just task rake", like: "make", goals: true, other: "-f|--file= -C|--directory= -o|--old-file= -W=",
		free: "-j|--jobs= -s|--silent|--quiet -w|--print-directory --no-print-directory -B|--always-make -O|--output-sync -l= --trace",
	},
	{names: "tox nox", free: "-v -vv -q -r|--recreate -p|--parallel= --colored= -n= run run-parallel --result-json= --workdir=", other: "-e|--session= -f= -m= --skip-env= -c|--conf= -k|--keywords= -t|--tags= --override= -x= --noxfile="},
	{
		names: "nyc c8", goals: true, free: "-r|--reporter= --temp-dir= --report-dir= --silent --clean -s --cache --source-map --instrument --eager --exit-on-error", strict: "--check-coverage --all --per-file --100",
		higher: "--lines= --branches= --functions= --statements=", other: "-n|--include= --extension= -x|--exclude= -i|--require= -o=",
	},
	{names: "coverage", free: "-m|--show-missing -i|--ignore-errors --skip-covered --skip-empty --precision= --sort= --format= -q|--quiet", higher: "--fail-under=", other: "--omit= --include= --rcfile= --data-file="},
	{names: "turbo nx lerna", goals: true, free: plainFree, other: plainOther},
}

// plainTools are runners whose flags are not known beyond plainFree.
const plainTools = " phpunit ctest ava tap bats playwright cypress karma rails mix swift sbt bazel deno trial stestr tape uvu jasmine minitest vstest flutter dart wtr prove phpspec pest behave cucumber robot green ward "

// toolNamed is the test runner of a program's name, nil if it is none.
func toolNamed(name string) *tool {
	for _, row := range toolTable {
		if strings.Contains(" "+row.names+" ", " "+name+" ") && name != "" {
			return row.tool()
		}
	}
	if name != "" && strings.Contains(plainTools, " "+name+" ") {
		return toolOf{names: name, free: plainFree, strict: "--forbid-only --fail-on-warning --fail-on-risky --fail-on-skipped --fail-on-incomplete --strict --warnings-as-errors", other: plainOther}.tool()
	}
	return nil
}

func nyc() *tool { return toolNamed("nyc") }

func (row toolOf) tool() *tool {
	first, _, _ := strings.Cut(row.names, " ")
	t := &tool{name: first, sameAs: row.like, goals: row.goals, single: row.single, flags: map[string]flag{}}
	if first == "node" {
		t.name = "node --test"
	}
	t.add("", row.other)
	t.add("free", row.free)
	t.add("strict", row.strict)
	t.add("higher", row.higher)
	if first == "npm" { // what a script is given after --
		for _, inner := range []toolOf{jestRow, vitestRow, mochaRow} {
			for name, f := range inner.tool().flags {
				if _, ok := t.flags[name]; !ok && f.alias == "" && strings.HasPrefix(name, "--") {
					t.flags[name] = f
				}
			}
		}
	}
	return t
}

func (t *tool) add(allowance, words string) {
	for _, word := range strings.Fields(words) {
		word, valued := strings.CutSuffix(word, "=")
		names := strings.Split(word, "|")
		last := names[len(names)-1]
		for _, n := range names {
			alias := ""
			if n != last {
				alias = last
			}
			t.flags[n] = flag{allowance, valued, alias}
		}
	}
}

func (t *tool) family() string {
	if t.sameAs != "" {
		return t.sameAs
	}
	return t.name
}

// merged is the tool of whose flags the other's are known, too.
func (t *tool) merged(o *tool) *tool {
	if len(o.flags) > len(t.flags) {
		return o
	}
	return t
}
