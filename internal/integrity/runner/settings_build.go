package runner

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// Settings of Maven, .NET and Gradle, of build scripts, and of what is read line
// by line.

func mavenRules() []rule {
	return slices.Concat(
		rulesFrom("**/plugin\\[maven-{surefire,failsafe}-plugin\\]/", `
			off **/{skip,skiptests,skipits,skipexec,testfailureignore}
			more **/includes/include = **/Test*.java **/*Test.java **/*Tests.java **/*TestCase.java
			fewer **/excludes/exclude
			lower **/rerunfailingtestscount
			on **/{failifnotests,failifnospecifiedtests,enableassertions} = true
			gone **/{groups,excludedgroups,test,includesfile,excludesfile}
			known:sizing **/argline
			more **/goals/goal = -
			free version groupid artifactid **/id **/configuration/{forkcount,reuseforks,trimstacktrace,usefile,reportformat,parallel,threadcount,runorder,printsummary,redirecttestoutputtofile,reportsdirectory,usemodulepath,forkedprocess*,tempdir,encoding,percorethreadcount} **/configuration/{consoleoutputreporter,statelesstestsetreporter}/**`),
		rulesFrom("**/plugin\\[jacoco-maven-plugin\\]/", `
			higher **/minimum
			lower **/maximum
			on **/haltonfailure = true
			off **/skip
			fewer **/{exclude,excludes/exclude}
			more **/{goal,counter,element,value} = -
			free version groupid artifactid **/id **/phase`),
		rulesFrom("**/plugin\\[*\\]/", "free version groupid artifactid"),
		rulesFrom("**/plugin\\[{maven-compiler,maven-jar,maven-source,maven-javadoc,maven-deploy,maven-release,maven-gpg,maven-shade,maven-assembly,maven-site,maven-enforcer,maven-checkstyle,maven-pmd,maven-dependency,maven-install,maven-war,maven-clean,maven-project-info-reports,spring-boot-maven,versions-maven,license-maven,spotless-maven,fmt-maven,formatter-maven,spotbugs-maven,flatten-maven,nexus-staging-maven,central-publishing-maven,maven-bundle}*-plugin\\]/", `
			off **/{skip,skiptests,skipits}
			gone **/{testexcludes,testincludes,testsourcedirectory}/** **/{testsourcedirectory,skipmain}
			known:processors **/annotationprocessorpaths/** **/compilerargs/**
			free **`),
		rulesFrom("**/properties/", `
			off {skiptests,skipits,maven.test.skip,maven.test.skip.exec,maven.test.failure.ignore,testfailureignore,surefire.skip*,jacoco.skip,*skip*,*ignore*fail*,*fail*ignore*}
			gone {test,it.test,groups,excludedgroups,surefire.{include,exclude}*,failsafe.{include,exclude}*}
			lower {surefire,failsafe}.rerunfailingtestscount
			on {jacoco.haltonfailure,surefire.failifno*,failifnotests} = true
			known:sizing {argline,surefire.argline}
			higher *{coverage,jacoco}*
			version *version *.version version.*
			free project.build.sourceencoding project.reporting.outputencoding maven.compiler.* java.version encoding sonar.* *url* license.*`),
		rulesFrom("project*/", `
			free version modelversion groupid artifactid name description url inceptionyear {licenses,developers,contributors,scm,issuemanagement,ciManagement,distributionmanagement,organization,mailinglists,reporting,prerequisites}/** {licenses,developers,scm}*/** @*
			version parent*/version
			more modules/module = -
			free **/dependency*/{groupid,artifactid,version,scope,optional,type,classifier} **/exclusion*/{groupid,artifactid} **/exclusions/** build/finalname build/resources/** build/resources/resource*/** **/profile*/id`),
	)
}

func dotnetRules() []rule {
	return slices.Concat(rulesFrom("project/propertygroup*/", `
			on {istestproject,istestingplatformapplication,enabledefaultcompileitems,enabledefaultitems} = true
			higher {threshold,coverletthreshold,minimumcoverage}
			on collectcoverage treatwarningsaserrors
			gone {vstesttestcasefilter,testcasefilter,defaultitemexcludes,exclude,excludebyfile,excludebyattribute,runsettingsfilepath,vstestsetting,testingplatformcommandlinearguments}
			off {*skip*test*,*test*skip*,vstestignore*,*ignoreexitcode*}
			free {targetframework,targetframeworks,langversion,nullable,implicitusings,outputtype,rootnamespace,assemblyname,ispackable,version*,package*,authors,company,product,description,copyright,repository*,generatedocumentationfile,nowarn,warningsaserrors,warninglevel,analysis*,enforcecodestyleinbuild,debugtype,debugsymbols,platform*,invariantglobalization,coverletoutput*}`),
		rulesFrom("project/itemgroup*/", `
			fewer compile*/@{remove,exclude}
			more compile*/@include = -
			free packagereference*/** {none,content,embeddedresource}*/** projectreference*/** internalsvisibleto*/** packageversion*/** globalpackagereference*/** additionalfiles*/**`),
		rulesFrom("project/", "free @sdk"))
}

func runSettingsRules() []rule {
	return rulesFrom("runsettings/", `
		gone runconfiguration/testcasefilter nunit/where
		on runconfiguration/treatnotestsaserror
		free runconfiguration/{resultsdirectory,maxcpucount,disableparallelization,testsessiontimeout,targetplatform,targetframeworkversion,collectsourceinformation,disableappdomain}
		free nunit/{numberoftestworkers,verbosity,shadowcopyfiles,defaulttimeout,stoponerror} loggerrunsettings/** datacollectionrunsettings/**`)
}

// blockRules are for Gradle, Rake, nox, sbt and SimpleCov, and for helpers of
// RSpec and Minitest, whose statements are keys and their arguments values.
func blockRules() []rule {
	return slices.Concat(
		rulesFrom("{,**/}", `
			higher {minimum,minimum_coverage,minimum_coverage_by_file}
			lower {maximum,maximum_coverage_drop}
			free {testlogging,testlogging.*}{,/**} {events,exceptionformat,showstandardstreams,showexceptions,maxparallelforks,forkevery,maxheapsize,minheapsize,failfast,description,group,desc,verbose,t.verbose,warning,t.warning}
			known:blockdependencies dependencies/**`),
		rulesFrom("", `
			free {group,version,description,archivesbasename,sourcecompatibility,targetcompatibility,rootproject.name,application/**,java/{toolchain/**,sourcecompatibility,targetcompatibility,withsourcesjar*,withjavadocjar*},publishing/**,signing/**,repositories/{mavencentral*,google*,gradlepluginportal*},javadoc/**,jar/**,spotless/**,checkstyle/**,wrapper/**,jacocotestreport/reports/**}
			known:gradleplugins plugins/{id,java,kotlin,jacoco,application,java-library}
			known:rakeoptions **/{t.rspec_opts,rspec_opts,t.ruby_opts,t.options}
			more **/{t.pattern,t.test_files} = -
			free task?{build,clean,console,docs,doc,lint,release,format,server,yard,rdoc}{,/**} {,**/}{puts,println}
			unused rspec.matchers.define*
			free rspec.matchers.define*/** rspec.configure*/kernel.srand
			known:requires require
			free rspec.configure*/{config.order,config.example_status_persistence_file_path,config.filter_run_when_matching,config.profile_examples,config.color,config.formatter,config.default_formatter,config.warnings} rspec.configure*/config.expect_with* rspec.configure*/config.expect_with*/{c.syntax,c.max_formatted_output_length,expectations.syntax,expectations.include_chain_clauses_in_custom_matcher_descriptions}
			on rspec.configure*/{config.disable_monkey_patching!,config.raise_errors_for_deprecations!,config.fail_if_no_examples} simplecov.start*/enable_coverage
			known:coveragefilters simplecov.start*/add_filter simplecov.start*/add_group`),
	)
}

// sizing are options of a JVM that say how much it may use, and what may be
// opened, but nothing that a test could ask for.
var sizing = regexp.MustCompile(`^(?:[@$]\{[\w.]+\}|-X(?:m[snx]|ss)\w+|-XX:[+-]?(?:Max|Min|Initial|Use\w*GC|HeapDump|EnableDynamicAgentLoading|TieredStopAtLevel)[\w=./]*|-Dfile\.encoding=[\w-]+|-Djava\.awt\.headless=true|-ea|-enableassertions|--(?:add-opens|add-exports)[= ]\S+|--add-opens|--add-exports|[\w.]+/[\w.]+=[\w.-]+|-Xshare:\w+)$`)

// rulesOf are the rules for the settings of a file.
func rulesOf(f format, p string) []rule {
	name := strings.ToLower(path.Base(p))
	switch {
	case f == mavenFile:
		return mavenRules()
	case f == projectFile:
		return dotnetRules()
	case f == runSettings:
		return runSettingsRules()
	case f == packageJSON:
		return packageRules()
	case f == statements:
		return blockRules()
	case name == ".npmrc":
		return rulesFrom("", "known:npmregistry registry\nfree save-exact save-prefix fund audit audit-level loglevel progress engine-strict package-lock access tag-version-prefix legacy-peer-deps strict-peer-dependencies auto-install-peers shamefully-hoist hoist-pattern* public-hoist-pattern*")
	case f == properties:
		return rulesFrom("", `
			free org.gradle.{caching,parallel,daemon,configuration-cache*,workers.max,console,logging.*,vfs.watch,warning.mode} version group kotlin.* android.*
			known:sizing org.gradle.jvmargs
			off *skip*test* *test*skip* *ignore*fail* skip*
			higher *{coverage,minimum}*
			version *version *.version`)
	case f == argumentsFile:
		switch name {
		case "mocha.opts":
			return rulesFrom("", "args:mocha arguments")
		case "maven.config":
			return rulesFrom("", "args:mvn arguments")
		}
		return rulesFrom("", "args:rspec arguments")
	case name == "cargo.toml", name == "nextest.toml", strings.Contains(p, ".cargo/"):
		return cargoRules()
	case f == iniFile && strings.HasPrefix(name, ".nycrc"):
		return nycRules("")
	case f == iniFile, f == tomlFile:
		return pythonRules()
	default:
		return scriptRules(name)
	}
}
