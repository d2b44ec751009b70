# Reads the output of "go test -bench" and prints what this program costs
# beyond what it drives, with the goal that each figure has.

$1 ~ /^Benchmark/ {
	name = $1
	sub(/^Benchmark/, "", name)
	sub(/-[0-9]+$/, "", name)
	for (i = 3; i < NF; i += 2) value[name, $(i + 1)] = $i
}

END {
	print ""
	ratio("whole run with one spec / one bare turn, new home", "Job", "FreshTurn", 1.25)
	ratio("whole run with one spec / one bare turn, used home", "Job", "Turn", 0)
	ratio("one review / one bare codex turn", "Run", "Turn", 1.25)
	ratio("8 reviews / 8 bare turns in parallel", "Run8", "Turns8", 1.15)
	ratio("planning on 20,000 commits / git, processor time", "Plan/Set", "Plan/git", 1.5, "cpu-ms/op")
	ratio("1,000 changed test files compared / parsed", "Testdiff", "TestdiffParse", 1.3)
	metric("memory of that comparison, MB, the files included", "Testdiff", "MB-heap")
	split("Python Go TypeScript TSX JavaScript Java Rust Ruby C#", languages, " ")
	for (i = 1; i in languages; i++) {
		name = "Parse/" languages[i]
		if ((name, "ratio") in value)
			printf "%-52s %8.2f   goal 2.50, tree-sitter alone %.2f\n", "parsing " languages[i] ", MB in a second of processor time", value[name, "MB/cpu-s"], value[name, "plain-MB/cpu-s"]
	}
	ratio("a small source parsed in a child / in this process", "Child/child", "Child/here", 0)
	if (("Start", "ns/op") in value)
		printf "%-52s %8.0f   goal 100\n", "start of the process to its first line, ms", value["Start", "ns/op"] / 1e6
	seconds("8 specs, GitHub at 200 ms: first question, s", "Latency8", "first-question-s", 1.0)
	seconds("1 spec, GitHub at 200 ms: whole run, s", "Latency", "whole-s", 1.8)
	seconds("8 specs, GitHub at 200 ms: whole run, s", "Latency8", "whole-s", 4.0)
	metric("prompt: bytes of the fixed part", "Prompt", "fixed-bytes")
	metric("prompt: bytes beyond artifact and context", "Prompt", "bytes-beyond-material")
	metric("prompt: share identical across a type, %", "Prompt", "%identical")
	metric("model calls on an unchanged re-run", "Rerun", "model-calls")
}

function ratio(label, a, b, goal, unit) {
	if (unit == "") unit = "ns/op"
	if (((a, unit) in value) && ((b, unit) in value) && value[b, unit] > 0)
		printf "%-52s %8.2f%s\n", label, value[a, unit] / value[b, unit], goal ? sprintf("   goal %.2f", goal) : ""
}

function metric(label, name, unit) {
	if ((name, unit) in value) printf "%-52s %8.0f\n", label, value[name, unit]
}

function seconds(label, name, unit, goal) {
	if ((name, unit) in value) printf "%-52s %8.2f   goal %.2f\n", label, value[name, unit], goal
}
