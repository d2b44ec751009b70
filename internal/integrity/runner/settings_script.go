package runner

import (
	"slices"
	"strings"
)

// Settings of the JavaScript and TypeScript runners.

// scriptRules are the rules for a configuration of that name.
func scriptRules(name string) []rule {
	switch {
	case strings.HasPrefix(name, "jest"):
		return jestRules("")
	case strings.HasPrefix(name, "vitest"), strings.HasPrefix(name, "vite."):
		return vitestRules("")
	case strings.HasPrefix(name, ".mocharc"):
		return mochaRules("")
	case strings.HasPrefix(name, ".nycrc"), strings.HasPrefix(name, ".c8rc"), strings.HasPrefix(name, "nyc."):
		return nycRules("")
	case strings.HasPrefix(name, "ava."):
		return avaRules("")
	case strings.HasPrefix(name, "babel."), strings.HasPrefix(name, ".babelrc"):
		return rulesFrom("", "known:translators presets presets/** plugins plugins/**\nfree sourcemaps comments compact minified retainlines")
	case strings.HasPrefix(name, "tsconfig"):
		return rulesFrom("", `
			known:paths compileroptions/paths/**
			gone compileroptions/{baseurl,rootdirs,plugins{,*/**}}
			free compileroptions/** include exclude files references* references*/** $schema display`)
	case name == "xunit.runner.json":
		return rulesFrom("", `
			on failskips failwarns failtestswithwarnings
			free $schema parallel* maxparallelthreads methoddisplay methoddisplayoptions preenumeratetheories diagnosticmessages internaldiagnosticmessages longrunningtestseconds stoponfail shadowcopy appdomain showliveoutput print* seed culture`)
	default:
		return browserRules()
	}
}

func jestRules(in string) []rule {
	return rulesFrom(in, `
		more testmatch = **/__tests__/**/*.[jt]s?(x) **/?(*.)+(spec|test).[jt]s?(x)
		more testregex
		more roots = <rootDir>
		fewer testpathignorepatterns modulepathignorepatterns watchpathignorepatterns coveragepathignorepatterns = /node_modules/
		more collectcoveragefrom
		higher coveragethreshold/**
		known:translators transform/**
		known:aliases modulenamemapper/**
		known:reporters reporters
		known:setup setupfiles setupfilesafterenv
		off passwithnotests automock updatesnapshot
		gone testnamepattern
		on errorondeprecated
		free bail verbose silent collectcoverage coveragereporters coveragedirectory coverageprovider clearmocks restoremocks resetmocks resetmodules testtimeout slowtestthreshold maxworkers
		free maxconcurrency workeridlememorylimit cache displayname displayname/* notify notifymode forceexit detectopenhandles detectleaks logheapusage randomize showseed
		free watchplugins watchman openhandlestimeout workerthreads json outputfile usestderr forcecoveragematch`)
}

func vitestRules(in string) []rule {
	return slices.Concat(rulesFrom(in+"test/", `
		more include includesource = **/*.{test,spec}.?(c|m)[jt]s?(x)
		fewer exclude = **/node_modules/** **/.git/** **/dist/**
		higher coverage/{thresholds,threshold,watermarks}/** coverage/{lines,branches,functions,statements}
		on coverage/enabled coverage/all
		fewer coverage/exclude
		more coverage/include
		free coverage/{provider,reporter,reporter/**,reportsdirectory,clean,cleanonrerun,reportonfailure,skipfull}
		known:setup setupfiles
		known:aliases alias{,/**}
		gone testnamepattern changed related shard
		off passwithnotests allowonly dangerouslyignoreunhandlederrors update
		on expect/requireassertions
		lower retry
		known:reporters reporters
		free globals pool bail silent outputfile outputfile/* testtimeout hooktimeout teardowntimeout maxworkers minworkers maxconcurrency isolate fileparallelism sequence/** watch css css/**
		free typecheck/** clearmocks restoremocks unstubenvs unstubglobals logheapusage slowtestthreshold name open ui api api/* cache/** hideskippedtests benchmark/** printconsoletrace pooloptions/** inspect`),
		rulesFrom(in, `
		known:aliases resolve/alias{,/**}
		known:translators plugins plugins/**
		free build/** server/** preview/** css/** base publicdir cachedir esbuild/{target,jsx,jsximportsource} clearscreen loglevel appType`))
}

func mochaRules(in string) []rule {
	return rulesFrom(in, `
		more spec extension
		fewer ignore exclude
		gone grep g fgrep f invert i
		known:translators require r import loader
		on recursive forbid-only forbidonly forbid-pending forbidpending async-only asynconly check-leaks checkleaks fail-zero failzero
		off allow-uncaught allowuncaught pass-on-failing-test-suite passonfailingtestsuite dry-run dryrun
		lower retries
		free ui reporter reporter-option* reporteroptions timeout timeouts slow s t color colors parallel jobs bail exit full-trace fulltrace diff inline-diffs sort watch-files watch-ignore watchfiles watchignore trace-warnings enable-source-maps $schema watch`)
}

func nycRules(in string) []rule {
	return rulesFrom(in, `
		on check-coverage per-file all 100
		higher lines branches functions statements
		fewer exclude
		more include extension
		free reporter temp-dir report-dir cache sourcemap instrument watermarks/** silent clean`)
}

func avaRules(in string) []rule {
	return rulesFrom(in, `
		more files
		gone match
		known:translators require nodearguments
		on failwithoutassertions failnotests = true
		free failfast verbose serial concurrency timeout cache tap ignoredbywatcher watchmode/* workerthreads`)
}

// browserRules are those of Playwright, Cypress and Karma.
func browserRules() []rule {
	return rulesFrom("**/", `
		more testdir testmatch specpattern files
		fewer testignore excludespecpattern exclude
		gone grep grepinvert
		on forbidonly failonemptytestsuite failonskippedtests
		lower retries retries/**
		off ignoresnapshots updatesnapshots passwithnotests
		known:reporters reporter reporters
		free timeout workers fullyparallel outputdir video screenshot* trace viewportwidth viewportheight defaultcommandtimeout requesttimeout pageloadtimeout maxfailures loglevel singlerun autowatch colors concurrency port headless`)
}

// packageRules are for package.json, beside its scripts.
func packageRules() []rule {
	return slices.Concat(
		jestRules("jest/"), mochaRules("mocha/"), nycRules("{nyc,c8}/"), avaRules("ava/"), vitestRules("vitest/"),
		rulesFrom("", `
			free name version description keywords keywords/* author author/* authors authors/* contributors* contributors*/* maintainers* maintainers*/* license licenses* licenses*/* repository repository/* bugs bugs/* homepage funding funding* funding*/* private publishconfig/** files files/*
			known:program bin/*
			free bin man types typings typesversions/** main module browser unpkg jsdelivr style sideeffects exports exports/** type engines/* os cpu browserslist browserslist/** packagemanager volta/* $schema readme preferglobal gitHead directories/*
			free eslintconfig/** eslintignore/** prettier prettier/** stylelint/** husky/** lint-staged/** commitlint/** config/commitizen/** release/** release-it/** size-limit* size-limit*/** simple-git-hooks/** standard/** xo/** tsd/** np/** renovate/** all-contributors/** standard-version/** esm lint-staged/* nodemonconfig/**
			version {dependencies,devdependencies,peerdependencies,optionaldependencies,overrides,resolutions,pnpm/overrides}/**
			free peerdependenciesmeta/** bundleddependencies dependenciesmeta/**
			free $comment`))
}
