package runner

import "workflow-reviewer/internal/integrity/violation"

// Settings of pytest, coverage.py and tox, by the keys of their INI and TOML
// files.

func pythonRules() []rule {
	var out []rule
	for _, section := range []string{"pytest", "tool:pytest", "tool/pytest/ini_options", "tool/pytest"} {
		out = append(out, pytestRules(section+"/")...)
	}
	for _, section := range []string{"coverage:report/", "tool/coverage/report/", "report/"} {
		out = append(out,
			rule{key: section + "fail_under", effect: threshold},
			rule{key: section + "{omit,exclude_lines,exclude_also,partial_branches}", effect: exclude, kind: violation.ConfigChanged},
			rule{key: section + "include", effect: include, kind: violation.ConfigChanged},
		)
	}
	for _, section := range []string{"coverage:run/", "tool/coverage/run/", "run/"} {
		out = append(out,
			rule{key: section + "branch", effect: strict, kind: violation.ThresholdLowered},
			rule{key: section + "omit", effect: exclude, kind: violation.ConfigChanged},
			rule{key: section + "{source,source_pkgs,include}", effect: include, kind: violation.ConfigChanged},
			rule{key: section + "plugins", effect: changed},
		)
	}
	out = append(out, // plugins that pytest finds by itself
		rule{key: "{project/entry-points,tool/poetry/plugins}/pytest11/**", effect: loads},
		rule{key: "options.entry_points/pytest11", effect: loads},
		// bunfig.toml
		rule{key: "test/preload", effect: loads},
		rule{key: "test/{root,testpathignorepatterns}", effect: filter},
		rule{key: "test/coveragethreshold{,/**}", effect: threshold},
	)
	return append(out, toxRules()...)
}

func pytestRules(in string) []rule {
	return []rule{
		{key: in + "addopts", effect: arguments, tool: pytest()},
		{key: in + "testpaths", effect: include},
		{key: in + "python_files", effect: include, defaults: []string{"test_*.py", "*_test.py"}},
		{key: in + "python_classes", effect: include, defaults: []string{"Test"}, prefix: true},
		{key: in + "python_functions", effect: include, defaults: []string{"test"}, prefix: true},
		{key: in + "norecursedirs", effect: exclude, defaults: []string{"*.egg", ".*", "_darcs", "build", "CVS", "dist", "node_modules", "venv", "{arch}"}},
		{key: in + "collect_imported_tests", effect: strict, defaults: []string{"true"}},
		{key: in + "{xfail_strict,strict,strict_markers,strict_config,strict_xfail,strict_parametrization_ids,timeout_fail}", effect: strict},
		{key: in + "filterwarnings", effect: changed, kind: violation.ConfigNarrowed},
		{key: in + "{reruns,retries,max_runs,flaky_*}", effect: retries},
		{key: in + "{usefixtures,env,env_files,pytester_example_dir,plugins}", effect: loads},
		{key: in + "asyncio_mode", effect: changed, known: asyncMode},
		{key: in + "pythonpath", effect: loads, kind: violation.ConfigChanged, known: sourceFolders},
		{key: in + "{markers,minversion,required_plugins,log_*,console_output_style,junit_*,cache_dir,timeout,timeout_method,timeout_func_only,faulthandler_*,asyncio_default_*,doctest_encoding,render_collapsed,verbosity_*,tmp_path_*,truncation_*,addopts_help,django_settings_module,env_override_existing_values,qt_api,anyio_mode,trio_mode,norewrite,enable_assertion_pass_hook,testmon_*,mock_use_standalone_module,mock_traceback_monkeypatch}", effect: harmless},
		{key: in + "**", effect: changed},
	}
}

func toxRules() []rule {
	var out []rule
	for _, in := range []string{"testenv*/", "tool/tox/env_run_base/", "tool/tox/env/*/", "env_run_base/", "env/*/"} {
		out = append(out,
			rule{key: in + "{commands,commands_pre,commands_post}", effect: commands},
			rule{key: in + "{ignore_outcome,ignore_errors}", effect: loose, kind: violation.TestScriptNeutered},
			rule{key: in + "{setenv,set_env}", effect: changed},
			rule{key: in + "set_env/**", effect: changed},
			rule{key: in + "{changedir,change_dir,platform}", effect: changed},
		)
	}
	return append(out, rule{key: "{tox,tool/tox}/{envlist,env_list}", effect: include, kind: violation.ConfigChanged, none: true, braces: true})
}

func cargoRules() []rule {
	return []rule{
		{key: "{test,lib}/{harness,test,doctest}", effect: strict, defaults: []string{"true"}},
		{key: "package/autotests", effect: strict, defaults: []string{"true"}},
		{key: "test/{path,name}", effect: include, none: true},
		{key: "test/required-features", effect: loads},
		{key: "profile/{test,dev}/{debug-assertions,overflow-checks,debug_assertions}", effect: strict, defaults: []string{"true"}},
		{key: "profile/test/panic", effect: changed},
		{key: "{patch,replace}/**/{proptest,insta,rstest,mockall,quickcheck,assert_cmd,pretty_assertions,trybuild,test-case,libtest-mimic,nextest*}{,/**}", effect: loads},
		{key: "workspace/members", effect: include, kind: violation.ConfigChanged, none: true},
		{key: "workspace/exclude", effect: exclude, kind: violation.ConfigChanged},
		{key: "workspace/default-members", effect: include, kind: violation.ConfigChanged},
		// .cargo/config.toml
		{key: "target/*/runner", effect: loads},
		{key: "build/{rustflags,rustc,rustc-wrapper,target}", effect: changed},
		{key: "alias/{test,t,nextest}", effect: loads, kind: violation.TestScriptNeutered},
		{key: "env/**", effect: changed},
		// nextest.toml
		{key: "profile/*/{default-filter,filter}", effect: filter},
		{key: "profile/*/{retries,retries/*}", effect: retries},
		{key: "profile/*/{fail-fast,status-level,final-status-level,failure-output,success-output,test-threads,junit/*,threads-required}", effect: harmless},
		{key: "profile/*/{slow-timeout,leak-timeout,global-timeout}**", effect: changed},
		{key: "profile/*/{overrides,scripts}/**", effect: changed},
	}
}
