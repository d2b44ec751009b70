package runner

import "strings"

// Build tools, and runners of which little needs to be known.

func maven() *tool {
	return &tool{name: "maven", goals: true, flags: flagsOf(map[effect]string{
		harmless: "-q|--quiet -B|--batch-mode -ntp|--no-transfer-progress -e|--errors -X|--debug -U|--update-snapshots -T|--threads= -V|--show-version -v --color= -o|--offline -s|--settings= -ff|--fail-fast -fae|--fail-at-end -C|--strict-checksums -c -nsu clean",
		filter:   "-pl|--projects= -rf|--resume-from= -f|--file= -N|--non-recursive",
		loose:    "-fn|--fail-never",
		changed:  "-P|--activate-profiles= -am|--also-make",
	})}
}

func gradle() *tool {
	return &tool{name: "gradle", goals: true, flags: flagsOf(map[effect]string{
		harmless: "-q|--quiet -i|--info -d|--debug -s|--stacktrace -S|--full-stacktrace --no-daemon --daemon --parallel --build-cache --no-build-cache --console= --scan --warning-mode= --max-workers= --refresh-dependencies --configuration-cache --no-configuration-cache -w --offline --rerun-tasks --continue --info --profile --warn clean",
		filter:   "--tests= -x|--exclude-task= -p|--project-dir= -b|--build-file= -a",
		loose:    "-m|--dry-run --no-rebuild",
		loads:    "-I|--init-script=",
	})}
}

func rspec() *tool {
	return &tool{name: "rspec", flags: flagsOf(map[effect]string{
		harmless: "-f|--format= -o|--out= -c|--color|--colour --force-color --no-color -b|--backtrace --order= --seed= --profile -p -w|--warnings --fail-fast --no-fail-fast --deprecation-out= --bisect=false --display= -I=",
		strict:   "--fail-if-no-examples --error-exit-code=",
		filter:   "-t|--tag= -e|--example= -E|--example-matches= -P|--pattern= --default-path= --only-failures -n|--next-failure -O|--options= --dry-run --only-pending --init --help --version",
		exclude:  "--exclude-pattern=",
		loose:    "--failure-exit-code=",
		loads:    "-r|--require=",
	})}
}

func cargo() *tool {
	return &tool{name: "cargo", sameAs: "cargo test", flags: flagsOf(map[effect]string{
		harmless:  "-v|--verbose -q|--quiet --color= --locked --frozen --offline -j|--jobs= --no-fail-fast --nocapture --test-threads= --release --message-format= --all --workspace --show-output --timings --fail-fast --target-dir= --keep-going nextest run --status-level= --final-status-level= --failure-output= --success-output= --no-capture",
		strict:    "--all-features --all-targets --include-ignored --doc --tests",
		filter:    "--lib --bin= --bins --test= --example= --examples --bench= --benches -p|--package= --exclude= --skip= --exact --ignored -F|--features= --no-default-features --no-run --list --manifest-path= --target= -E|--filter-expr= -P|--profile= --cargo-profile= --partition=",
		loose:     "--no-tests=",
		threshold: "--fail-under= --fail-under-lines= --fail-under-regions= --fail-under-functions=",
		retries:   "--retries= --flaky-result=",
		loads:     "--config= --tool-config-file=",
	})}
}

func dotnet() *tool {
	return &tool{name: "dotnet", sameAs: "dotnet test", flags: flagsOf(map[effect]string{
		harmless:  "-v|--verbosity= -c|--configuration= --no-build --no-restore --nologo -l|--logger= -r|--results-directory= --collect= -o|--output= --blame --blame-crash --blame-hang --blame-hang-timeout= -d|--diag= --interactive --tl -m --report-trx",
		changed:   "-f|--framework=",
		filter:    "--filter= -s|--settings= -t|--list-tests -a|--arch= --os= --runtime= --filter-not-trait= --filter-class= --filter-method= --filter-namespace= --filter-trait= --filter-query= --treenode-filter=",
		threshold: "/p:Threshold= -p:Threshold= --threshold=",
		loose:     "--ignore-exit-code= --minimum-expected-tests=",
		retries:   "--retry-failed-tests=",
		loads:     "--test-adapter-path= -e|--environment= -p|--property=",
	})}
}

func npm() *tool {
	t := &tool{name: "npm", sameAs: "npm", goals: true, flags: flagsOf(map[effect]string{
		harmless: "-s|--silent --quiet --verbose --loglevel= --no-color --color --frozen-lockfile --no-audit --no-fund --parallel --stream -r|--recursive --workspaces -ws --topological -A|--all --no-update-notifier --ignore-scripts --fail-fast --no-bail=false --concurrency=",
		filter:   "-w|--workspace= --filter= -F= --prefix= --cwd= -C|--dir= --since= --scope= --only= --exclude= --ignore=",
		loose:    "--if-present --no-bail --dry-run",
	})}
	for _, inner := range []*tool{jest(), vitest(), mocha()} { // what a script is given after --
		for name, f := range inner.flags {
			if _, ok := t.flags[name]; !ok && f.alias == "" {
				t.flags[name] = f
			}
		}
	}
	return t
}

func makeTool() *tool {
	return &tool{name: "make", sameAs: "make", goals: true, flags: flagsOf(map[effect]string{
		harmless: "-j|--jobs= -s|--silent|--quiet -k|--keep-going -w|--print-directory --no-print-directory -B|--always-make -O|--output-sync -l= -t=false --trace",
		filter:   "-f|--file= -C|--directory= -o|--old-file= -W= -e",
		loose:    "-i|--ignore-errors -n|--just-print|--dry-run -q|--question -t|--touch",
	})}
}

func tox() *tool {
	return &tool{name: "tox", flags: flagsOf(map[effect]string{
		harmless: "-v -vv -q -r|--recreate -p|--parallel= --parallel-no-spinner --colored= -s|--skip-missing-interpreters= --notest=false -n= --sitepackages run run-parallel --result-json= --workdir= --error-on-missing-interpreters",
		filter:   "-e|--session= -f= -m= --skip-env= -c|--conf= --notest --skip-pkg-install -k|--keywords= -t|--tags= -l|--list --override= -x= --noxfile=",
		loose:    "--ignore-outcome",
	})}
}

// nyc is the coverage tool that wraps another runner; c8 takes the same flags.
func nyc() *tool {
	return &tool{name: "nyc", goals: true, flags: flagsOf(map[effect]string{
		harmless:  "-r|--reporter= --temp-dir= --report-dir= --silent --clean -s --cache --source-map --instrument --eager --exit-on-error -o=",
		strict:    "--check-coverage --all --per-file --100",
		threshold: "--lines= --branches= --functions= --statements=",
		filter:    "-n|--include= --extension= --skip-full",
		exclude:   "-x|--exclude=",
		loads:     "-i|--require=",
	})}
}

// coverage is coverage.py where it judges what was measured.
func coverage() *tool {
	return &tool{name: "coverage", flags: flagsOf(map[effect]string{
		harmless:  "-m|--show-missing -i|--ignore-errors --skip-covered --skip-empty --precision= --sort= --format= --rcfile= --data-file= -q|--quiet",
		threshold: "--fail-under=",
		exclude:   "--omit=",
		filter:    "--include=",
	})}
}

// measured are the flags that a coverage tool is given in front of the runner.
func measured(words []value) ([]value, bool) {
	for i, w := range words {
		if name := programName(w.text); name == "nyc" || name == "c8" {
			end := i + 1
			for end < len(words) && (strings.HasPrefix(words[end].text, "-") || nyc().flags[words[end-1].text].value) {
				end++
			}
			return words[i+1 : end], end > i+1
		}
		if toolNamed(programName(w.text)) != nil {
			break
		}
	}
	return nil, false
}

// plainTool is a runner whose flags are not known.
func plainTool(name string) func() *tool {
	return func() *tool {
		return &tool{name: name, flags: flagsOf(map[effect]string{
			harmless: "-v --verbose -q --quiet --color --colors --no-color --reporter= --formatter= --timeout= -j= --jobs= --parallel= --coverage",
			filter:   "--filter= --grep= --grep-invert= -g= --match= -t= --tags= --exclude= --only= --skip= -k= -R= -E= --spec= --project= --shard= -n= --name= --suite= --group= --exclude-group= --include=",
			loose:    "--pass-with-no-tests --passWithNoTests --permit-no-files --update-snapshots -u",
			retries:  "--retries= --flaky_test_attempts= --repeat=",
			strict:   "--forbid-only --fail-on-warning --fail-on-risky --fail-on-skipped --fail-on-incomplete --strict --warnings-as-errors",
		})}
	}
}

// goalTool is a build tool whose plain arguments are what to do.
func goalTool(name string) func() *tool {
	return func() *tool {
		t := plainTool(name)()
		t.goals = true
		return t
	}
}
