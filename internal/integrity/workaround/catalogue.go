package workaround

// catalogue lists the rules in the order of the documentation.
func catalogue() []rule {
	return []rule{
		operatorOverload(),
		stateRecording(),
		specialCasing(),
		testEnvDetection(),
		readsTestFile(),
		stackInspection(),
		builtinPatch(),
		frameworkMonkeypatch(),
		outcomeHook(),
		processExit(),
	}
}
