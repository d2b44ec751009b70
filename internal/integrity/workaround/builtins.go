package workaround

import (
	"slices"
	"strings"
)

// jsMembers are the methods that the built-in objects of JavaScript have; what
// a program adds to them is no replacement.
func jsMembers(object string) []string {
	switch object {
	case "Array":
		return strings.Fields("at concat copyWithin entries every fill filter find findIndex findLast findLastIndex flat flatMap forEach includes indexOf join keys lastIndexOf map pop push reduce reduceRight reverse shift slice some sort splice toLocaleString toReversed toSorted toSpliced toString unshift values with valueOf length")
	case "String":
		return strings.Fields("at charAt charCodeAt codePointAt concat endsWith includes indexOf lastIndexOf localeCompare match matchAll normalize padEnd padStart repeat replace replaceAll search slice split startsWith substring substr toLowerCase toLocaleLowerCase toUpperCase toLocaleUpperCase toString trim trimEnd trimStart valueOf length")
	case "Number", "BigInt", "Boolean", "Symbol":
		return strings.Fields("toExponential toFixed toLocaleString toPrecision toString valueOf")
	case "Object":
		return strings.Fields("hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf constructor __proto__")
	case "Function":
		return strings.Fields("apply bind call toString")
	case "Date":
		return strings.Fields("getTime valueOf getFullYear getMonth getDate getDay getHours getMinutes getSeconds getMilliseconds getTimezoneOffset getUTCFullYear getUTCMonth getUTCDate getUTCDay getUTCHours getUTCMinutes getUTCSeconds getUTCMilliseconds toISOString toJSON toString toDateString toTimeString toLocaleString toLocaleDateString toLocaleTimeString toUTCString setTime")
	case "Map", "WeakMap", "Set", "WeakSet":
		return strings.Fields("add clear delete entries forEach get has keys set size values")
	case "RegExp":
		return strings.Fields("exec test toString compile")
	case "Promise":
		return strings.Fields("then catch finally")
	case "Error":
		return strings.Fields("toString message name")
	default:
		return nil
	}
}

// jsStatics are the functions of built-in objects whose replacement changes
// what other code computes.
func jsStatics(object string) []string {
	switch object {
	case "Date":
		return []string{"now", "parse", "UTC"}
	case "Math":
		return strings.Fields("abs ceil floor round max min pow random sqrt trunc sign log exp hypot")
	case "JSON":
		return []string{"parse", "stringify"}
	case "Object":
		return strings.Fields("is keys values entries assign create defineProperty freeze fromEntries getPrototypeOf getOwnPropertyNames")
	case "Array":
		return []string{"isArray", "from", "of"}
	case "Number":
		return strings.Fields("isInteger isNaN isFinite isSafeInteger parseFloat parseInt")
	case "Promise":
		return strings.Fields("all allSettled any race resolve reject")
	case "performance":
		return []string{"now"}
	case "process":
		return strings.Fields("exit hrtime nextTick uptime reallyExit abort")
	case "Reflect":
		return strings.Fields("ownKeys get has set apply")
	default:
		return nil
	}
}

// jsGlobal reports whether a name is a global of JavaScript that everything
// else relies on.
func jsGlobal(name string) bool {
	return slices.Contains(strings.Fields("Date Math JSON Object Array String Number Boolean Promise Map Set RegExp Symbol Error Reflect parseInt parseFloat isNaN setTimeout setInterval setImmediate queueMicrotask"), name)
}

// pythonFunction reports whether a dotted name is a function or class of
// Python's library whose replacement changes what other code computes.
func pythonFunction(name string) bool {
	module, member, ok := cutLast(name)
	if !ok {
		return false
	}
	switch strings.TrimPrefix(module, "builtins.__dict__") {
	case "time":
		return slices.Contains(strings.Fields("time time_ns monotonic monotonic_ns perf_counter perf_counter_ns process_time sleep gmtime localtime strftime strptime mktime"), member)
	case "datetime", "datetime.datetime", "datetime.date":
		return slices.Contains(strings.Fields("datetime date time timedelta now today utcnow fromtimestamp"), member)
	case "random", "secrets":
		return !strings.HasPrefix(member, "_")
	case "builtins", "__builtins__", "":
		return member != "_" && !strings.HasPrefix(member, "__") && pythonBuiltin(member) || member == "__import__"
	case "math", "cmath", "operator", "statistics", "hashlib", "uuid", "copy", "functools", "itertools", "json", "re", "string", "decimal", "fractions", "difflib", "filecmp":
		return !strings.HasPrefix(member, "_")
	case "os":
		return slices.Contains(strings.Fields("getenv listdir stat urandom getcwd _exit abort kill system"), member)
	case "os.path", "posixpath":
		return !strings.HasPrefix(member, "_")
	case "sys":
		return member == "exit" || member == "_getframe"
	}
	return false
}

func cutLast(dotted string) (before, after string, ok bool) {
	i := strings.LastIndexByte(dotted, '.')
	if i < 0 {
		return "", "", false
	}
	return dotted[:i], dotted[i+1:], true
}

func pythonBuiltin(name string) bool {
	return slices.Contains(strings.Fields(`abs all any ascii bin bool bytes callable chr compile complex dict dir divmod enumerate eval exec filter float
format frozenset getattr hasattr hash hex id input int isinstance issubclass iter len list map max min next object oct open ord pow property range repr
reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip AssertionError Exception BaseException SystemExit ValueError TypeError KeyError`), name)
}

// rubyCore are the classes of Ruby that all code relies on.
func rubyCore(class string) bool {
	return slices.Contains(strings.Fields("Object BasicObject Kernel Comparable Enumerable Integer Float Numeric Rational String Symbol Array Hash Set Range Struct NilClass TrueClass FalseClass Time Date DateTime Process Random Regexp Exception StandardError Proc Method Module Class Math"), strings.TrimPrefix(class, "::"))
}

// rubyMethod reports whether redefining a method of a core class changes what
// comparisons, clocks and chance answer.
func rubyMethod(name string) bool {
	return slices.Contains(strings.Fields("== != === eql? equal? <=> < > <= >= =~ ! hash now today rand sleep clock_gettime + - * / % round floor ceil include? member? empty? nil? size length count sort sort_by sum min max raise exit abort is_a? kind_of? instance_of?"), name)
}
