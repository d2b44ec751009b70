package violation

import (
	"workflow-reviewer/internal/proof"
	"workflow-reviewer/internal/workflow"
)

// Kind says what exactly a violation is.
type Kind string

// What can be done to tests so that they demand less.
const (
	AssertionRemoved Kind = "assertion_removed"
	// to membership, truth, type, existence; subject normalised; broader exception; negation
	AssertionWeakened  Kind = "assertion_weakened"
	ToleranceWidened   Kind = "tolerance_widened"
	Tautology          Kind = "tautology" // an assertion that cannot fail
	TestDeleted        Kind = "test_deleted"
	TestUncollected    Kind = "test_uncollected" // still there, but no runner finds it
	TestSkipped        Kind = "test_skipped"     // or expected to fail
	TestFocused        Kind = "test_focused"     // only, so that others do not run
	ParamsDropped      Kind = "params_dropped"   // parametrisation or table rows
	ExceptionSwallowed Kind = "exception_swallowed"
	EarlyReturn        Kind = "early_return"
	RetriesAdded       Kind = "retries_added"
	MockOfSUT          Kind = "mock_of_sut" // the unit under test is replaced
	HelperWeakened     Kind = "helper_weakened"
	// a file that the runner loads by itself steers collection or outcomes
	ConftestHook       Kind = "conftest_hook"
	ConfigNarrowed     Kind = "config_narrowed"
	ThresholdLowered   Kind = "threshold_lowered"
	TestScriptNeutered Kind = "test_script_neutered"
	CINeutered         Kind = "ci_neutered"
)

// What can be done to tests so that they demand something else.
const (
	ExpectedChanged   Kind = "expected_changed"
	TestModified      Kind = "test_modified" // a change that is not known to be harmless
	FixtureChanged    Kind = "fixture_changed"
	HelperChanged     Kind = "helper_changed"
	SnapshotRewritten Kind = "snapshot_rewritten"
	AutoloadedFile    Kind = "autoloaded_file" // added or changed, loaded by the runner itself
	ConfigChanged     Kind = "config_changed"
	FileChanged       Kind = "file_changed"   // by the byte rule
	ActsOnOthers      Kind = "acts_on_others" // something added that acts on others than itself
)

// What an implementation can do to satisfy tests by a trick.
const (
	OperatorOverload     Kind = "operator_overload"
	StateRecording       Kind = "state_recording"
	SpecialCasing        Kind = "special_casing"
	TestEnvDetection     Kind = "test_env_detection"
	TestMode             Kind = "test_mode"
	ReadsTestFile        Kind = "reads_test_file"
	StackInspection      Kind = "stack_inspection"
	BuiltinPatch         Kind = "builtin_patch"         // clocks, assert, built-in types
	FrameworkMonkeypatch Kind = "framework_monkeypatch" // the test framework itself
	OutcomeHook          Kind = "outcome_hook"          // rewrites results of tests
	ProcessExit          Kind = "process_exit"          // with status 0, when loaded
)

// What can be done to the record of an approval.
const (
	RecordChanged Kind = "record_changed"
	RecordRemoved Kind = "record_removed"
	RecordForged  Kind = "record_forged" // added without the signature of this action
	RecordInvalid Kind = "record_invalid"
	ReviewRemoved Kind = "review_removed" // that the record names
	ReviewChanged Kind = "review_changed"
)

// Standing is what a file has become in which such a violation is found.
func (k Kind) Standing() proof.Standing {
	switch k {
	case ActsOnOthers, ConftestHook, AutoloadedFile, OutcomeHook, FrameworkMonkeypatch,
		BuiltinPatch, ProcessExit:
		return proof.Acts
	default:
		return proof.Changed
	}
}

// Type is the violation type that a kind belongs to.
func (k Kind) Type() workflow.Category {
	switch k {
	case ExpectedChanged,
		TestModified,
		FixtureChanged,
		HelperChanged,
		SnapshotRewritten,
		AutoloadedFile,
		ConfigChanged,
		FileChanged,
		ActsOnOthers:
		return Modification
	case OperatorOverload, StateRecording, SpecialCasing, TestEnvDetection, TestMode, ReadsTestFile,
		StackInspection,
		BuiltinPatch, FrameworkMonkeypatch, OutcomeHook, ProcessExit:
		return Workaround
	case RecordChanged, RecordRemoved, RecordForged, RecordInvalid, ReviewRemoved, ReviewChanged:
		return Tampering
	default:
		return Weakening
	}
}
