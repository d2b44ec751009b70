package question

import (
	"regexp"

	"workflow-reviewer/internal/syntax"
)

// topic is a kind of mark: what new code does, and what is asked about it.
type topic struct {
	id    string
	says  string
	asks  string
	names map[syntax.Language][]string // see matches
	texts *regexp.Regexp               // whole string literals
}

// scripts gives the same names to JavaScript and both TypeScripts.
func scripts(m map[syntax.Language][]string) map[syntax.Language][]string {
	m[syntax.TypeScript], m[syntax.TSX] = m[syntax.JavaScript], m[syntax.JavaScript]
	return m
}

// topics are the marks: what published ways around tests are made of, by the
// names that the languages and their standard libraries give it.
func topics() []topic {
	return []topic{
		{
			id: "stack", says: "The code looks at its own call stack or source",
			asks: "Does its result depend on who calls it?",
			names: scripts(map[syntax.Language][]string{
				syntax.Python:     {"inspect.stack", "inspect.currentframe", "inspect.getouterframes", "inspect.getsource", "sys._getframe", "sys._current_frames", "traceback.extract_stack", "traceback.walk_stack", "traceback.format_stack", ".f_back", "sys.settrace", "sys.setprofile", "gc.get_objects", "gc.get_referrers", ".tb_frame"},
				syntax.JavaScript: {"Error.captureStackTrace", "Error.prepareStackTrace", ".stack.includes", ".stack.split", ".stack.match", ".stack.indexOf", "arguments.callee", "require.cache", "module.parent", ".callsites()"},
				syntax.Go:         {"runtime.Caller", "runtime.Callers", "runtime.CallersFrames", "debug.Stack", "debug.PrintStack", "runtime.Stack", "runtime.FuncForPC"},
				syntax.Java:       {"getStackTrace", "StackWalker.getInstance", "StackWalker", "Thread.getAllStackTraces"},
				syntax.Ruby:       {"caller", "caller_locations", "ObjectSpace.*", "TracePoint.*", "binding.of_caller", "set_trace_func"},
				syntax.Rust:       {"Backtrace.capture", "Backtrace.force_capture", "backtrace.*", "Location.caller"},
				syntax.CSharp:     {"StackTrace", "StackFrame", "Environment.StackTrace", "Assembly.GetCallingAssembly", "Assembly.GetEntryAssembly"},
			}),
		},
		{
			id: "environment", says: "The code asks in which process or environment it runs, by names that test runners set",
			asks: "Does it behave differently under test?",
			names: scripts(map[syntax.Language][]string{
				syntax.Python:     {"sys.modules", "sys.argv", "sys.gettrace", "django.test", "__debug__", "sys.flags"},
				syntax.JavaScript: {"process.env.JEST_WORKER_ID", "process.env.NODE_ENV", "process.env.VITEST", "process.env.CI", "process.argv", "process.execArgv", "globalThis.jest", "globalThis.describe", "globalThis.it", "globalThis.expect", "global.jest", "global.describe", "global.it", "jest", "describe", "vitest", "__coverage__", "process.title", "import.meta.vitest"},
				syntax.Go:         {"testing.*", "flag.Lookup", "os.Args", "os.Executable"},
				syntax.Java:       {"Class.forName", "ManagementFactory.getRuntimeMXBean", "getInputArguments", "sun.java.command"},
				syntax.Ruby:       {"RSpec", "Minitest", "$PROGRAM_NAME", "$LOADED_FEATURES", "RSpec.*", "Minitest.*", "Object.const_defined?", "Test.Unit"},
				syntax.Rust:       {"current_exe", "thread.current", "env.args", "args_os"},
				syntax.CSharp:     {"AppDomain.CurrentDomain", "Environment.GetCommandLineArgs", "Process.GetCurrentProcess", "Environment.CommandLine"},
			}),
			texts: regexp.MustCompile(`^(?i:_?pytest|unittest2?|nose2?|jest|vitest|mocha|jasmine|rspec|minitest|junit|org\.junit.*|testng|xunit.*|nunit.*|mstest.*|testhost|test\.v|\.test|\.test\.exe|ci|github_actions|node_env|rails_env|rack_env|app_env|sun\.java\.command|surefire.*|-test\.v|rust_test_threads|aspnetcore_environment)$|` +
				`PYTEST_|JEST_|VITEST|_pytest|/_test\b|cargo-nextest|CARGO_TARGET|NEXTEST`),
		},
		{
			id: "mock", says: "Doubles of tests are made in the implementation",
			asks: "Does the program work without them?",
			names: scripts(map[syntax.Language][]string{
				syntax.Python:     {"unittest.mock*", "mock.Mock", "MagicMock", "mock.patch", "pytest.MonkeyPatch", "PropertyMock", "AsyncMock", "types.SimpleNamespace"},
				syntax.JavaScript: {"jest.fn", "jest.mock", "vi.fn", "vi.mock", "sinon", "sinon.*", "Proxy"},
				syntax.Go:         {"github.com/stretchr/testify/*", "go.uber.org/mock/*", "github.com/golang/mock/*", "net/http/httptest", "httptest.*"},
				syntax.Java:       {"Mockito.*", "org.mockito.*", "EasyMock.*", "Proxy.newProxyInstance"},
				syntax.Ruby:       {"double()", "instance_double()", "OpenStruct", "allow()", "RSpec.Mocks.*"},
				syntax.Rust:       {"mockall.*", "mockito.*"},
				syntax.CSharp:     {"Moq", "Moq.*", "Mock", "NSubstitute", "Substitute.For", "DispatchProxy", "DynamicObject", "FakeItEasy"},
			}),
		},
		{
			id: "replaced", says: "Something that other code relies on is replaced",
			asks: "Who else sees the replacement, and why is it needed?",
			names: scripts(map[syntax.Language][]string{
				syntax.Python:     {"__builtins__", "importlib.reload", "ctypes.pythonapi", "gc.get_referents", "forbiddenfruit.*", "sys.meta_path", "sys.path_hooks", "sitecustomize", "setattr()", "freeze_time", "freezegun.*", "time_machine.*"},
				syntax.JavaScript: {"Object.setPrototypeOf", "Reflect.defineProperty", "Object.defineProperty()", "Object.defineProperties()", "useFakeTimers()", "Module._load", "Module._resolveFilename", ".__proto__", ".__defineGetter__"},
				syntax.Go:         {"unsafe.Pointer", "reflect.NewAt", "plugin.Open"},
				syntax.Java:       {"setAccessible", "Unsafe.getUnsafe", "Instrumentation", "MethodHandles.privateLookupIn"},
				syntax.Ruby:       {"alias_method()", ".prepend()", ".class_eval()", ".module_eval()", ".define_method()", ".singleton_class", ".define_singleton_method()", ".remove_method()", ".undef_method()", "refine()", "Timecop.*", ".travel_to()", ".freeze_time()", ".const_set()", ".instance_variable_set()"},
				syntax.Rust:       {"mem.transmute", "panic.set_hook", "set_hook"},
				syntax.CSharp:     {"BindingFlags.NonPublic", "Harmony", "RuntimeHelpers.PrepareMethod", "Unsafe.As", "Marshal.Copy"},
			}),
		},
		{
			id: "exit", says: "The process is ended, or something is left to run when it ends",
			asks: "Can a test end early, or pass, because of it?",
			names: scripts(map[syntax.Language][]string{
				syntax.Python:     {"os._exit", "sys.exit", "os.kill", "os.abort", "atexit.register", "sys.excepthook", "exit()", "quit()", "threading.excepthook", "signal.alarm", "faulthandler.*", "os.execv", "unittest.SkipTest", "pytest.*"},
				syntax.JavaScript: {"process.exit", "process.exitCode", "process.abort", "process.kill", "process.reallyExit"},
				syntax.Go:         {"os.Exit", "syscall.Exit", "syscall.Kill", "runtime.Goexit", "log.SetOutput"},
				syntax.Java:       {"System.exit", "halt", "addShutdownHook", "setDefaultUncaughtExceptionHandler", "org.junit.*", "org.testng.*"},
				syntax.Ruby:       {"exit()", "exit!()", "abort()", "at_exit()", "Kernel.exit", "Process.exit", "Process.kill", "Process.exit!", "throw()"},
				syntax.Rust:       {"process.exit", "process.abort", "intrinsics.abort"},
				syntax.CSharp:     {"Environment.Exit", "Environment.FailFast", "Environment.ExitCode", "AppDomain.CurrentDomain.ProcessExit", "Process.Kill"},
			}),
		},
		{
			id: "handler", says: "Any error is caught and answered with a value",
			asks: "Is the value right for the caller, or does it only keep a test from failing?",
			names: map[syntax.Language][]string{
				syntax.Rust: {"catch_unwind"},
				syntax.Go:   {"recover()"},
			},
		},
		{
			id: "equality", says: "It is defined anew what counts as equal, ordered, contained or present",
			asks: "Does the answer depend on all that makes two of these equal?",
			names: scripts(map[syntax.Language][]string{
				syntax.JavaScript: {"asymmetricMatch", "Symbol.hasInstance", "Symbol.toPrimitive", "Symbol.toStringTag"},
			}),
		},
		{
			id: "digest", says: "A digest is made",
			asks: "Of what, and is it used to recognise inputs?",
			names: scripts(map[syntax.Language][]string{
				syntax.Python:     {"hashlib.*", "zlib.crc32", "zlib.adler32", "binascii.crc32", "hash()", "hmac.new"},
				syntax.JavaScript: {"crypto.createHash", "createHash", "crypto.subtle.digest", "createHmac", "Bun.hash"},
				syntax.Go:         {"crypto/md5", "crypto/sha1", "crypto/sha256", "crypto/sha512", "hash/*", "md5.*", "sha1.*", "sha256.*", "sha512.*", "fnv.*", "crc32.*", "crc64.*", "adler32.*", "maphash.*"},
				syntax.Java:       {"MessageDigest.getInstance", "DigestUtils.*", "CRC32", "Arrays.hashCode", "Adler32"},
				syntax.Ruby:       {"Digest.*", "Zlib.crc32", "OpenSSL.Digest.*", ".hash()", ".sum()", ".crypt()"},
				syntax.Rust:       {"DefaultHasher.new", "Sha256.*", "Sha1.*", "md5.compute", "crc32fast.*", "Md5.*", "SipHasher.*"},
				syntax.CSharp:     {"MD5.*", "SHA1.*", "SHA256.*", "SHA512.*", "HashAlgorithm.*", "Crc32.*", "XxHash64.*"},
			}),
		},
		{
			id: "code", says: "Code or values are made of texts, or found by name while the program runs",
			asks: "What runs in the end, and could it stand there as plain code?",
			names: scripts(map[syntax.Language][]string{
				syntax.Python:     {"eval()", "exec()", "compile()", "pickle.loads", "marshal.loads", "base64.b64decode", "codecs.decode", "zlib.decompress", "types.FunctionType", "types.CodeType", "importlib.import_module", "runpy.*", "__import__()", "bytes.fromhex", "bytearray.fromhex", "ast.literal_eval", "gzip.decompress", "lzma.decompress", "binascii.unhexlify", "base64.b85decode"},
				syntax.JavaScript: {"eval()", "Function()", "Function", "vm.*", "Reflect.construct", "atob()", "WebAssembly.*", "Module._compile", ".fromCharCode()", ".fromCharCode.apply"},
				syntax.Go:         {"base64.StdEncoding.DecodeString", "base64.RawStdEncoding.DecodeString", "hex.DecodeString", ".MethodByName()", "gob.NewDecoder", "ascii85.*"},
				syntax.Java:       {"Class.forName", "getDeclaredMethod", "getMethod", "getDeclaredField", "ScriptEngineManager", "Base64.getDecoder", "ToolProvider.*", "defineClass", "HexFormat.of"},
				syntax.Ruby:       {"eval()", ".instance_eval()", ".class_eval()", "instance_eval()", "class_eval()", ".instance_exec()", ".public_send()", "Marshal.load", "Base64.decode64", "Base64.strict_decode64", "Object.const_get", ".unpack1()", "RubyVM.*", "binding"},
				syntax.Rust:       {"include_str!", "include_bytes!", "base64.*", "hex.decode", "include_str", "include_bytes"},
				syntax.CSharp:     {"Activator.CreateInstance", "Type.GetType", "Assembly.Load", "Assembly.LoadFrom", "Convert.FromBase64String", "CSharpScript.*", "Convert.FromHexString", "GetMethod", "GetField"},
			}),
		},
		{
			id: "reads", says: "The code reads files of tests, or its own",
			asks:  "Does it take answers from there?",
			texts: regexp.MustCompile(`(?i)^(?:\S*[\\/_.*-])?(?:tests?|specs?|__tests__|__snapshots__|testdata|goldens?|fixtures?|snapshots?|expected)(?:[\\/_.*-]\S*)?$`),
		},
		{
			id: "state", says: "The answer depends on how often something was called",
			asks: "Is it the same for the same input whenever it is asked?",
		},
	}
}

// globals are what is not the file's own to assign to, by language.
var globals = map[syntax.Language]*regexp.Regexp{
	syntax.Python:     regexp.MustCompile(`^(?:sys\.(?:modules|exit|_getframe|meta_path|argv|platform|version_info)|(?:builtins|__builtins__|os|time|datetime|random|math|json|re|operator|decimal|functools|collections|unittest|pytest|_pytest|socket|subprocess|io|warnings|numpy|pandas)\.(?:\w+\.?)+)$`),
	syntax.JavaScript: scriptGlobals,
	syntax.TypeScript: scriptGlobals,
	syntax.TSX:        scriptGlobals,
	syntax.Go:         regexp.MustCompile(`^(?:time\.Local|os\.(?:Args|Stdout|Stderr|Exit)|http\.Default\w+|rand\.\w+|flag\.\w+|errors\.\w+|bytes\.\w+|reflect\.\w+|testing\.\w+)$`),
	syntax.Ruby:       regexp.MustCompile(`^(?:\$stdout|\$stderr|ENV)\b`),
	syntax.CSharp:     regexp.MustCompile(`^(?:CultureInfo\.(?:CurrentCulture|DefaultThread\w+)|TimeProvider\.\w+|Environment\.\w+|Console\.\w+)$`),
}

var scriptGlobals = regexp.MustCompile(`^(?:globalThis|global|window|Object|Array|String|Number|Boolean|Function|Date|Math|JSON|Promise|Map|Set|RegExp|Error|Symbol|Reflect|console|process|performance|assert|expect|jest|chai)\.`)

// reopened are classes of a language's own that a file may not add to unasked.
var reopened = map[syntax.Language]*regexp.Regexp{
	syntax.Ruby: regexp.MustCompile(`^(?:Object|BasicObject|Kernel|Comparable|Enumerable|Integer|Float|Numeric|Rational|String|Symbol|Array|Hash|Set|Range|Struct|NilClass|TrueClass|FalseClass|Time|Date|DateTime|Process|Random|Regexp|Exception|StandardError|Proc|Method|Module|Class|Math|RSpec|Minitest)$`),
}
