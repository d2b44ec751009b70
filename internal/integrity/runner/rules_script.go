package runner

import "workflow-reviewer/internal/integrity/violation"

// Settings of the JavaScript and TypeScript runners.

func jestRules(in string) []rule {
	return []rule{
		{key: in + "testmatch", effect: include, defaults: []string{"**/__tests__/**/*.[jt]s?(x)", "**/?(*.)+(spec|test).[jt]s?(x)"}},
		{key: in + "testregex", effect: include},
		{key: in + "roots", effect: include, defaults: []string{"<rootDir>"}},
		{key: in + "{rootdir,projects,projects/**}", effect: changed, kind: violation.ConfigNarrowed},
		{key: in + "{testpathignorepatterns,modulepathignorepatterns,watchpathignorepatterns}", effect: exclude, defaults: []string{"/node_modules/"}},
		{key: in + "coveragepathignorepatterns", effect: exclude, kind: violation.ThresholdLowered, defaults: []string{"/node_modules/"}},
		{key: in + "collectcoveragefrom", effect: include, kind: violation.ThresholdLowered},
		{key: in + "coveragethreshold/**", effect: threshold},
		{key: in + "coveragethreshold", effect: harmless},
		{key: in + "transform/**", effect: loads, known: translators},
		{key: in + "modulenamemapper/**", effect: loads, known: aliases},
		{key: in + "reporters", effect: loads, known: plainReporters},
		{key: in + "{setupfiles,setupfilesafterenv}", effect: loads, known: plainSetup},
		{key: in + "testenvironment", effect: changed},
		{key: in + "{globalsetup,globalteardown,testrunner,runner,testenvironmentoptions/**,resolver,snapshotresolver,snapshotserializers,testresultsprocessor,testsequencer,preset,filter,prettierpath,dependencyextractor,haste/**}", effect: loads},
		{key: in + "{modulepaths,moduledirectories,transformignorepatterns,modulefileextensions,extensionstotreatasesm,unmockedmodulepathpatterns,globals/**,faketimers/**,timers,injectglobals,sandboxinjectedglobals}", effect: changed},
		{key: in + "{passwithnotests,automock,updatesnapshot}", effect: loose},
		{key: in + "ci", effect: changed},
		{key: in + "testnamepattern", effect: filter},
		{key: in + "errorondeprecated", effect: strict},
		{key: in + "collectcoverage", effect: harmless},
		{key: in + "{bail,verbose,silent,coveragereporters,coveragedirectory,coverageprovider,clearmocks,restoremocks,resetmocks,resetmodules,testtimeout,slowtestthreshold,maxworkers,maxconcurrency,workeridlememorylimit,cache,cachedirectory,displayname,displayname/*,notify,notifymode,forceexit,detectopenhandles,detectleaks,logheapusage,randomize,showseed,watchplugins,watchman,openhandlestimeout,snapshotformat/*,workerthreads,prettierpath,json,outputfile,usestderr,forcecoveragematch,modulenamemapper,transform,projects}", effect: harmless},
		{key: in + "**", effect: changed},
	}
}

func vitestRules(in string) []rule {
	t := in + "test/"
	return []rule{
		{key: t + "{include,includesource}", effect: include, defaults: []string{"**/*.{test,spec}.?(c|m)[jt]s?(x)"}},
		{key: t + "exclude", effect: exclude, defaults: []string{"**/node_modules/**", "**/.git/**", "**/dist/**"}},
		{key: t + "{dir,root,projects,projects/**,workspace,workspace/**}", effect: changed, kind: violation.ConfigNarrowed},
		{key: t + "coverage/{thresholds,threshold}/{autoupdate,perfile}", effect: changed},
		{key: t + "coverage/{thresholds,threshold,watermarks}/**", effect: threshold},
		{key: t + "coverage/{lines,branches,functions,statements}", effect: threshold},
		{key: t + "coverage/{enabled,all}", effect: strict, kind: violation.ThresholdLowered},
		{key: t + "coverage/exclude", effect: exclude, kind: violation.ThresholdLowered},
		{key: t + "coverage/include", effect: include, kind: violation.ThresholdLowered},
		{key: t + "coverage/**", effect: harmless},
		{key: t + "setupfiles", effect: loads, known: plainSetup},
		{key: t + "environment", effect: changed},
		{key: "{" + t + "," + in + "resolve/}alias{,/**}", effect: loads, known: aliases},
		{key: t + "{globalsetup,environmentoptions/**,environmentmatchglobs,runner,snapshotserializers,env/**,server/**,deps/**,provide/**,snapshotenvironment,resolvesnapshotpath,diff,poolmatchglobs}", effect: loads},
		{key: t + "{testnamepattern,changed,related,shard}", effect: filter},
		{key: t + "{passwithnotests,allowonly,dangerouslyignoreunhandlederrors,update}", effect: loose},
		{key: t + "expect/requireassertions", effect: strict},
		{key: t + "retry", effect: retries},
		{key: t + "{faketimers/**,expect/**,mockreset,onconsolelog,onunhandlederror}", effect: changed},
		{key: t + "{globals,pool,bail,silent,reporters,reporters/**,outputfile,outputfile/*,testtimeout,hooktimeout,teardowntimeout,maxworkers,minworkers,maxconcurrency,isolate,fileparallelism,sequence/**,watch,css,css/**,typecheck/**,clearmocks,restoremocks,unstubenvs,unstubglobals,logheapusage,slowtestthreshold,name,open,ui,api,api/*,cache/**,chaiconfig/**,hidedskippedtests,benchmark/**,printconsoletrace,uitests,pooloptions/**,inspect,coverage,projects}", effect: harmless},
		{key: t + "**", effect: changed},
		{key: in + "plugins", effect: loads, kind: violation.ConfigChanged, known: translators},
		{key: in + "{root,define/**,...}", effect: changed},
	}
}

func mochaRules(in string) []rule {
	return []rule{
		{key: in + "{spec,extension}", effect: include},
		{key: in + "{ignore,exclude}", effect: exclude},
		{key: in + "{grep,g,fgrep,f,invert,i}", effect: filter},
		{key: in + "{require,r,import,loader}", effect: loads, known: translators},
		{key: in + "{file,node-option,config,package,global,globals}", effect: loads},
		{key: in + "{recursive,forbid-only,forbidonly,forbid-pending,forbidpending,async-only,asynconly,check-leaks,checkleaks,fail-zero,failzero}", effect: strict},
		{key: in + "{allow-uncaught,allowuncaught,pass-on-failing-test-suite,passonfailingtestsuite,dry-run,dryrun}", effect: loose},
		{key: in + "retries", effect: retries},
		{key: in + "{ui,reporter,reporter-option,reporter-options,reporteroptions,timeout,timeouts,slow,s,t,color,colors,parallel,jobs,bail,exit,full-trace,fulltrace,diff,inline-diffs,sort,delay,watch-files,watch-ignore,watchfiles,watchignore,trace-warnings,enable-source-maps,$schema,watch}", effect: harmless},
		{key: in + "**", effect: changed},
	}
}

func nycRules(in string) []rule {
	return []rule{
		{key: in + "{check-coverage,per-file,all,100}", effect: strict, kind: violation.ThresholdLowered},
		{key: in + "{lines,branches,functions,statements}", effect: threshold},
		{key: in + "exclude", effect: exclude, kind: violation.ThresholdLowered},
		{key: in + "{include,extension}", effect: include, kind: violation.ThresholdLowered},
	}
}

func avaRules(in string) []rule {
	return []rule{
		{key: in + "files", effect: include},
		{key: in + "match", effect: filter},
		{key: in + "{require,nodearguments,environmentvariables/**,typescript/**,extensions/**}", effect: loads},
		{key: in + "{failwithoutassertions,failnotests}", effect: strict, defaults: []string{"true"}},
		{key: in + "{failfast,verbose,serial,concurrency,timeout,cache,tap,ignoredbywatcher,watchmode/*,workerthreads}", effect: harmless},
		{key: in + "**", effect: changed},
	}
}

// browserRules are those of Playwright, Cypress and Karma.
func browserRules() []rule {
	return []rule{
		{key: "**/{testdir,testmatch,specpattern,files,basepath}", effect: include},
		{key: "**/{testignore,excludespecpattern,exclude}", effect: exclude},
		{key: "**/{grep,grepinvert,client/mocha/grep,client/args}", effect: filter},
		{key: "**/{forbidonly,failonemptytestsuite,failonskippedtests}", effect: strict},
		{key: "**/{retries,retries/**}", effect: retries},
		{key: "**/{globalsetup,globalteardown,supportfile,preprocessors/**,plugins,frameworks}", effect: loads},
		{key: "**/{ignoresnapshots,updatesnapshots,passwithnotests}", effect: loose},
		{key: "**/{expect,snapshot}/**", effect: changed},
		{key: "{a statement,projects/**,projects,browsers,...}", effect: changed},
	}
}

func packageRules() []rule {
	var out []rule
	out = append(out, jestRules("jest/")...)
	out = append(out, mochaRules("mocha/")...)
	out = append(out, nycRules("nyc/")...)
	out = append(out, nycRules("c8/")...)
	out = append(out, avaRules("ava/")...)
	out = append(out, rule{key: "imports/**", effect: loads, kind: violation.ConfigChanged})
	return append(out, vitestRules("vitest/")...)
}

func tsconfigRules() []rule {
	return []rule{
		{key: "compileroptions/paths/**", effect: loads, kind: violation.ConfigChanged, known: noDouble},
	}
}

// babelRules are those of the compiler that Jest puts tests through.
func babelRules() []rule {
	return []rule{{key: "**", effect: loads, kind: violation.ConfigChanged, known: translators}}
}
