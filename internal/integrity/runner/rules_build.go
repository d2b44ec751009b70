package runner

import (
	"regexp"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
)

// Settings of Maven and .NET, by the elements of their XML.

func mavenRules() []rule {
	const config = "**/plugin\\[maven-{surefire,failsafe}-plugin\\]/**configuration/"
	return []rule{
		{key: "**/properties/{skiptests,skipits,maven.test.skip,maven.test.skip.exec,maven.test.failure.ignore,testfailureignore,surefire.skip*,jacoco.skip,*skip*test*,*test*skip*,*ignore*fail*,*fail*ignore*}", effect: loose},
		{key: "**/properties/{test,it.test,groups,excludedgroups,surefire.{include,exclude}*,failsafe.{include,exclude}*}", effect: filter},
		{key: "**/properties/{surefire,failsafe}.rerunfailingtestscount", effect: retries},
		{key: "**/properties/{jacoco.haltonfailure,surefire.failifno*,failifnotests}", effect: strict, defaults: []string{"true"}},
		{key: "**/properties/{argline,surefire.argline}", effect: changed, known: sizesOnly},
		{key: "**/properties/*{coverage,jacoco}*", effect: threshold},
		{key: config + "{skip,skiptests,skipits,skipexec,testfailureignore}", effect: loose},
		{key: config + "includes/include", effect: include},
		{key: config + "excludes/exclude", effect: exclude},
		{key: config + "{includesfile,excludesfile,groups,excludedgroups,test,dependenciestoscan/**,suitexmlfiles/**,testclassesdirectory,testsourcedirectory,basedir}", effect: filter},
		{key: config + "rerunfailingtestscount", effect: retries},
		{key: config + "{failifnotests,failifnospecifiedtests,enableassertions}", effect: strict},
		{key: config + "argline", effect: changed, known: sizesOnly},
		{key: config + "{systempropertyvariables/**,environmentvariables/**,classpathdependencyexcludes/**,additionalclasspathelements/**,properties/**,systemproperties/**}", effect: changed},
		{key: config + "{forkcount,reuseforks,trimstacktrace,useFile,usefile,reportformat,parallel,threadcount,runorder,printsummary,redirecttestoutputtofile,consoleoutputreporter/**,statelesstestsetreporter/**,reportsdirectory,skipafterfailurecount,usemodulepath,forkedprocess*,shutdown,tempdir,encoding,perCoreThreadCount,percorethreadcount}", effect: harmless},
		{key: "**/plugin\\[maven-{surefire,failsafe}-plugin\\]/**configuration/**", effect: changed},
		{key: "**/plugin\\[maven-failsafe-plugin\\]/**/goals/goal", effect: include, none: true},
		{key: "**/plugin\\[maven-{surefire,failsafe}-plugin\\]/**/phase", effect: changed, kind: violation.ConfigNarrowed},
		{key: "**/plugin\\[maven-{surefire,failsafe}-plugin\\]/**dependencies/**", effect: changed},
		{key: "**/plugin\\[maven-compiler-plugin\\]/**/{skip,testexcludes/*,testincludes/*}", effect: filter},
		{key: "**/plugin\\[jacoco-maven-plugin\\]/**/minimum", effect: threshold},
		{key: "**/plugin\\[jacoco-maven-plugin\\]/**/maximum", effect: ceiling},
		{key: "**/plugin\\[jacoco-maven-plugin\\]/**/haltonfailure", effect: strict, kind: violation.ThresholdLowered, defaults: []string{"true"}},
		{key: "**/plugin\\[jacoco-maven-plugin\\]/**/skip", effect: loose, kind: violation.ThresholdLowered},
		{key: "**/plugin\\[jacoco-maven-plugin\\]/**/exclude", effect: exclude, kind: violation.ThresholdLowered},
		{key: "**/plugin\\[jacoco-maven-plugin\\]/**/{goal,counter,element,value}", effect: include, none: true, kind: violation.ThresholdLowered},
		{key: "**/plugin\\[maven-{antrun,exec}-plugin\\]/**", effect: harmless},
		{key: "**/build/{testsourcedirectory,testoutputdirectory}", effect: filter},
		{key: "**/build/testresources/**", effect: changed},
		{key: "**/modules/module", effect: include, none: true},
		{key: "project/packaging", effect: changed},
	}
}

// sizing are options of a JVM that say how much it may use, and what may be
// opened, but nothing that a test could ask for.
var sizing = regexp.MustCompile(`^(?:[@$]\{[\w.]+\}|-X(?:m[snx]|ss)\w+|-XX:[+-]?(?:Max|Min|Initial|Use\w*GC|HeapDump|EnableDynamicAgentLoading|TieredStopAtLevel)[\w=./]*|-Dfile\.encoding=[\w-]+|-Djava\.awt\.headless=true|-ea|-enableassertions|--(?:add-opens|add-exports)[= ]\S+|--add-opens|--add-exports|[\w.]+/[\w.]+=[\w.-]+|-Xshare:\w+)$`)

// sizesOnly reports whether all options for a JVM are of that sort.
func sizesOnly(_ string, v value) bool {
	return !v.code && !slices.ContainsFunc(strings.Fields(v.text), func(s string) bool { return !sizing.MatchString(s) })
}

func dotnetRules() []rule {
	return []rule{
		{key: "project/propertygroup/{istestproject,istestingplatformapplication,enabledefaultcompileitems,enabledefaultitems}", effect: strict, defaults: []string{"true"}},
		{key: "project/propertygroup/{threshold,coverletthreshold,minimumcoverage}", effect: threshold},
		{key: "project/propertygroup/{collectcoverage}", effect: strict, kind: violation.ThresholdLowered},
		{key: "project/propertygroup/{vstesttestcasefilter,testcasefilter,defaultitemexcludes,exclude,excludebyfile,excludebyattribute,runsettingsfilepath,vstestsetting}", effect: filter},
		{key: "project/propertygroup/{targetframework,targetframeworks}", effect: harmless},
		{key: "project/propertygroup/{*skip*test*,*test*skip*,vstestignore*,*ignoreexitcode*,testingplatformcommandlinearguments}", effect: loose},
		{key: "project/propertygroup/defineconstants", effect: include, kind: violation.ConfigChanged, none: true, split: ";"},
		{key: "project/itemgroup/compile/@{remove,exclude}", effect: exclude, split: ";"},
		{key: "project/itemgroup/{none,content}/@remove", effect: harmless},
		{key: "project/itemgroup/compile/@include", effect: include, none: true, kind: violation.ConfigChanged},
		{key: "project/target/**", effect: changed},
		{key: "project/import/**", effect: changed},
	}
}

func runSettingsRules() []rule {
	return []rule{
		{key: "runsettings/runconfiguration/{testcasefilter}", effect: filter},
		{key: "runsettings/runconfiguration/treatnotestsaserror", effect: strict},
		{key: "runsettings/runconfiguration/{resultsdirectory,maxcpucount,disableparallelization,testsessiontimeout,targetplatform,targetframeworkversion,collectsourceinformation,disableappdomain}", effect: harmless},
		{key: "runsettings/nunit/where", effect: filter},
		{key: "runsettings/nunit/{numberoftestworkers,verbosity,shadowcopyfiles,defaulttimeout,stoponerror}", effect: harmless},
		{key: "runsettings/loggerrunsettings/**", effect: harmless},
		{key: "runsettings/datacollectionrunsettings/**", effect: harmless},
		{key: "**/@*", effect: changed},
		{key: "**", effect: changed},
	}
}

func xunitRules() []rule {
	return []rule{
		{key: "{failskips,failwarns,failtestswithwarnings}", effect: strict},
		{key: "{$schema,parallel*,maxparallelthreads,methoddisplay,methoddisplayoptions,preenumeratetheories,diagnosticmessages,internaldiagnosticmessages,longrunningtestseconds,stoponfail,shadowcopy,appdomain,showliveoutput,print*,seed,culture}", effect: harmless},
		{key: "**", effect: changed},
	}
}
