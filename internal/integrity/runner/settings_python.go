package runner

import "slices"

// Settings of pytest, coverage.py, tox, and Cargo, by the keys of their INI and
// TOML files: what is not named here steers.

func pythonRules() []rule {
	return slices.Concat(
		rulesFrom("{pytest,tool:pytest,tool/pytest/ini_options,tool/pytest}/", `
			args:pytest addopts
			more testpaths
			more python_files = test_*.py *_test.py
			more python_classes = Test
			more python_functions = test
			fewer norecursedirs = *.egg .* _darcs build CVS dist node_modules venv {arch}
			on collect_imported_tests = true
			on xfail_strict strict strict_markers strict_config strict_xfail strict_parametrization_ids timeout_fail
			lower reruns retries max_runs flaky_*
			gone usefixtures env env_files pytester_example_dir plugins
			known:async asyncio_mode
			known:sources pythonpath
			free markers minversion required_plugins log_* console_output_style junit_* cache_dir timeout timeout_method timeout_func_only faulthandler_*
			free asyncio_default_* doctest_encoding render_collapsed verbosity_* tmp_path_* truncation_* qt_api anyio_mode trio_mode`),
		rulesFrom("{coverage:report,tool/coverage/report,report}/", `
			higher fail_under
			fewer omit exclude_lines exclude_also partial_branches
			more include
			free show_missing skip_covered skip_empty precision sort format ignore_errors`),
		rulesFrom("{coverage:run,tool/coverage/run,run}/", `
			on branch
			fewer omit
			more source source_pkgs include
			free parallel data_file concurrency relative_files context dynamic_context`),
		rulesFrom("{coverage,tool/coverage}{:,/}{html,xml,json,lcov,paths}/", "free **"),
		rulesFrom("{html,xml,json,lcov,paths}/", "free **"),
		rulesFrom("{testenv*,tool/tox/env_run_base,tool/tox/env/*,env_run_base,env/*}/", `
			shell commands commands_pre commands_post
			off ignore_outcome ignore_errors
			free description labels
			known:requirements deps extras dependency_groups
			more passenv pass_env = -`),
		rulesFrom("{tox,tool/tox}/", `
			more envlist env_list = -
			free minversion min_version requires skip_missing_interpreters isolated_build`),
		rulesFrom("{gh-actions,flake8,pycodestyle,pydocstyle,isort,mypy*,pylint*,bdist_wheel,sdist,metadata,build_sphinx,check-manifest,codespell,bumpversion*,devpi*,egg_info,aliases,zest.releaser,semantic_release,versioneer,pep8,style,yapf,darglint,rstcheck,doc8,options.packages.find,options.package_data}/", "free **"),
		rulesFrom("tool/{black,ruff,isort,mypy,pyright,pylint,flake8,bandit,codespell,commitizen,bumpversion,semantic_release,towncrier,pdm/version,hatch/version,hatch/build,setuptools_scm,setuptools,autopep8,yapf,pydocstyle,interrogate,vulture,deptry,djlint,djhtml,basedpyright,ty,typos,cibuildwheel,check-manifest,mutmut}/", "free **"),
		rulesFrom("tool/setuptools_scm", "free {,/**}"),
		rulesFrom("project/", `
			free name version description readme license license-files authors maintainers keywords classifiers urls/** dynamic requires-python authors* authors*/** maintainers* maintainers*/** readme/** license/**
			known:program scripts/* gui-scripts/*
			known:requirements dependencies optional-dependencies/*`),
		rulesFrom("tool/poetry/", `
			free name version description readme license authors maintainers keywords classifiers homepage repository documentation urls/** include* exclude* package-mode
			known:program scripts/*
			version {dependencies,dev-dependencies,group/*/dependencies}/* {dependencies,dev-dependencies,group/*/dependencies}/*/version
			free {dependencies,dev-dependencies,group/*/dependencies}/*/{extras,optional,markers,python} group/*/optional extras/*`),
		rulesFrom("", `
			known:requirements build-system/requires dependency-groups/* tool/uv/dev-dependencies tool/pdm/dev-dependencies/* options/install_requires options/tests_require options.extras_require/* options/setup_requires
			free options/{packages,include_package_data,zip_safe,python_requires}
			known:programs options.entry_points/console_scripts
			higher test/coveragethreshold{,/**}
			free install/** `),
	)
}

// cargoRules are for Cargo.toml, .cargo/config.toml and nextest.toml. Lints and
// features of a crate decide what is compiled, not which tests run.
func cargoRules() []rule {
	return slices.Concat(
		rulesFrom("", `
			on {test*,lib}/{harness,test,doctest} = true
			on package/autotests = true
			on profile/{test,dev}/{debug-assertions,overflow-checks,debug_assertions} = true
			free package/{name,version,edition,rust-version,authors,description,license,license-file,homepage,repository,documentation,readme,keywords,categories,publish,include,exclude,links,default-run,autobins,autoexamples,autobenches,metadata/**,resolver}
			free workspace/package/** workspace/resolver workspace/metadata/** workspace/lints/** lints/** badges/** profile/{release,bench,dist,profiling}/** profile/{dev,test}/{opt-level,debug,incremental,codegen-units,split-debuginfo,lto,strip} profile/{dev,test}/package/**
			free {bin*,example*,bench*}/** lib/{name,crate-type,proc-macro,bench,doc,edition} 
			more features/* = -
			more workspace/members = -
			fewer workspace/exclude
			more workspace/default-members
			free {,net/,registries/**/}{retry,git-fetch-with-cli,offline} term/** net/**
			lower profile*/*/{retries,retries/*}
			free profile*/*/{fail-fast,status-level,final-status-level,failure-output,success-output,test-threads,junit/*,threads-required}`),
		rulesFrom("{,workspace/,target/*/}{dependencies,dev-dependencies,build-dependencies}/", `
			version * */version
			free */{features,default-features,optional,workspace}`),
	)
}
