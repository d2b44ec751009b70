# Everything a contributor runs. `make help` lists the targets.

GO          ?= go
VERSION     ?= dev
COMMIT      ?= $(shell git rev-parse HEAD 2>/dev/null)
IMAGE       ?= workflow-reviewer:dev
FUZZTIME    ?= 10s
BENCHTIME   ?= 3x
SIZES       ?= 10,100,1000,3000
E2E_FLAGS   ?=
PREFIX      ?= $(HOME)/.local
BINDIR      ?= $(PREFIX)/bin

# Without paths, clones share what was compiled. The linter wants to open the files by their paths.
GIVEN       := $(filter-out -trimpath,$(shell $(GO) env GOFLAGS))
UNTRIMMED   := GOFLAGS='$(GIVEN)'
export GOFLAGS := $(GIVEN) -trimpath
export EDITS SEED RESULTS SOUNDNESS_REPOS REPLAY_REPOS COMMITS SKIP SAMPLE PRECISION_REPOS

TOOLS       := $(CURDIR)/.cache/bin
GOLANGCI    := $(TOOLS)/golangci-lint-v2.15.0
GOFUMPT     := $(TOOLS)/gofumpt-v0.12.0
ACTIONLINT  := $(TOOLS)/actionlint-v1.7.12
GOVULNCHECK := $(TOOLS)/govulncheck-v1.8.0
WORKFLOWS   := .github/workflows/*.yml examples/*/*.yml
SCRIPTS      = $(shell git ls-files '*.sh') .ci/run examples/hooks/pre-push
# Packages that start goroutines, slowest first, are tested with the race detector, all others without it: there it sees
# one goroutine, and takes ten times as long. TestRaceDetectorSeesAllGoroutines holds the list complete.
RACED       := $(addprefix internal/,codex gitrepo review ghaction detect integrity/testdiff redact gitrepo/odb mcpserver syntax/child \
	github/githubtest engine pipeline codex/codextest syntax)
# Of these, packages that have tests without it too (//go:build !race).
BOTH         = $(sort $(patsubst %/,%,$(dir $(shell grep -rl '^//go:build !race' --include='*_test.go' cmd internal))))
# What is compared with gitleaks is a module of its own: the program needs nothing of that.
GITLEAKS    := internal/redact/gitleakstest
SLOW        := cmd/action internal/prove internal/integrity/corpustest internal/imagetest
# Tests wait for the programs that they start: more run at once than there are processors.
PARALLEL     = $(shell expr 2 '*' "$$(getconf _NPROCESSORS_ONLN)")
TESTFLAGS    = -vet=off -ldflags=-w -shuffle=on -timeout 30m
SOURCES      = $(shell git ls-files '*.go' ':!:**/testdata/**' ':!:testdata/**')

.DEFAULT_GOAL := help
.PHONY: help build install archive test test-plain test-raced test-gitleaks raced e2e attacks corpus soundness prove-history precision bench bench-e2e scaling prompts lint vulncheck fuzz image notices generate clean

help: ## list the targets
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 12

build: ## build the program into bin/
	$(GO) build -ldflags "-w -X main.version=$(VERSION) -X main.commit=$(COMMIT)" -o bin/workflow-reviewer ./cmd/action

install: build ## install the program into BINDIR, by default ~/.local/bin
	@mkdir -p "$(DESTDIR)$(BINDIR)"
	@install -m 755 bin/workflow-reviewer "$(DESTDIR)$(BINDIR)/workflow-reviewer"
	@echo "installed $(DESTDIR)$(BINDIR)/workflow-reviewer"
	@case ":$$PATH:" in *":$(BINDIR):"*) ;; *) echo "$(BINDIR) is not on your PATH; the pre-push hook finds it there all the same" ;; esac

archive: ## build and pack the program for this platform into dist/, with its checksum
	scripts/archive.sh dist $(VERSION) $(COMMIT)

test: $(GOLANGCI) ## run all tests, with the race detector where there are goroutines; installs codex into .cache first
	scripts/install-codex.sh
	scripts/in-memory.sh $(MAKE) --no-print-directory -j3 test-plain test-raced test-gitleaks

test-plain:
	$(GO) test $(TESTFLAGS) -parallel $(PARALLEL) $(SLOW:%=./%) $(BOTH:%=./%) \
		$(filter-out $(addprefix workflow-reviewer/,$(RACED) $(SLOW)),$(shell $(GO) list ./...))

test-raced: # beside the others, which wait for programs
	$(GO) test $(TESTFLAGS) -p 1 -race $(RACED:%=./%)

test-gitleaks:
	$(GO) test -C $(GITLEAKS) $(TESTFLAGS) -p 1 ./...

raced:
	@echo $(RACED)

e2e: ## build the image and run it as GitHub's runner and act do; E2E_FLAGS=-update rewrites its table
	scripts/container/e2e.sh $(E2E_FLAGS)

attacks: ## play all attacks against prove; ATTACK=name plays those whose names hold it
	@mkdir -p .cache
	@ATTACKS=all $(GO) test -count=1 -v -timeout 60m ./internal/prove ./internal/integrity/corpustest \
		-run '^(TestAttacks|TestLanguages|TestAttacksRun|TestProveLeavesNothingOfAttacks)$$' >.cache/attacks.txt; status=$$?; \
	grep -v '^ *\(---\|===\) \(RUN\|PAUSE\|CONT\|PASS\)' .cache/attacks.txt; exit $$status

corpus: ## measure the test-integrity check and print every miss
	@mkdir -p .cache
	@$(GO) test -count=1 -v ./internal/integrity/corpustest >.cache/corpus.txt; status=$$?; \
	grep -v '^ *\(---\|===\) \(RUN\|PAUSE\|CONT\|PASS\)' .cache/corpus.txt; exit $$status

soundness: ## edit the tests of real projects and list each edit that the test-integrity check lets pass; see scripts/soundness.sh
	scripts/soundness.sh

prove-history: ## replay commits of real projects and compare prove with what their tests say by themselves; see scripts/prove-history.sh
	scripts/prove-history.sh

precision: ## replay commits of public projects through the built-in checks and count the findings; see scripts/precision.sh
	scripts/precision.sh

bench: ## print the benchmarks and what they come to; BENCHTIME=10x for more runs
	scripts/install-codex.sh
	$(GO) test -p 1 -run '^$$' -bench . -benchtime $(BENCHTIME) -timeout 30m ./... >.cache/bench.txt || { cat .cache/bench.txt; exit 1; }
	@grep '^Benchmark' .cache/bench.txt
	@awk -f scripts/bench-ratios.awk .cache/bench.txt

scaling: ## print what planning and reporting cost for SIZES reviews (docs/scaling.md); takes half an hour, as writes are paced
	@$(GO) test ./internal/ghaction -count=1 -v -timeout 90m -run '^TestScaling$$' -scaling $(SIZES) | grep '^|'

bench-e2e: ## print what the container costs beyond a bare one
	scripts/container/e2e.sh -run '^$$' -bench . -benchtime 9x

lint: $(GOLANGCI) $(GOFUMPT) $(ACTIONLINT) ## check style, dependencies and workflows
	@out=$$($(GOFUMPT) -l $(SOURCES)); test -z "$$out" || { echo "not gofumpt'ed:"; echo "$$out"; exit 1; }
	$(GO) mod tidy -diff
	cd $(GITLEAKS) && $(GO) mod tidy -diff
	$(UNTRIMMED) $(GOLANGCI) run ./...
	cd $(GITLEAKS) && $(UNTRIMMED) $(GOLANGCI) run ./...
	$(ACTIONLINT) $(WORKFLOWS)
	shellcheck --severity=warning $(SCRIPTS)

vulncheck: $(GOVULNCHECK) ## look for known vulnerabilities in what the program calls
	scripts/vulncheck.sh $(GOVULNCHECK)

prompts: ## print what prompts of recorded changes show, and why, and each type's whole prompt for a sample; see scripts/prompts.sh
	@$(GO) test ./internal/review -count=1 -v -run "^TestPromptOfEachType$$" -show | grep -v "^ *\(---\|===\) *\(RUN\|PASS\|FAIL\)"
	@scripts/prompts.sh

fuzz: ## run every fuzz target for FUZZTIME
	@git grep -n '^func Fuzz' -- '*_test.go' | sed 's/^\(.*\)\/[^/]*:[0-9]*:func \(Fuzz[A-Za-z0-9_]*\).*/\1 \2/' | \
	while read -r dir name; do \
		echo "$$dir $$name"; \
		$(GO) test -run '^$$' -fuzz "^$$name$$" -fuzztime $(FUZZTIME) "./$$dir" || exit 1; \
	done

image: ## build the container image IMAGE and print its size; BUILDFLAGS="..." for docker build
	scripts/image.sh build $(IMAGE) --build-arg VERSION=$(VERSION) --build-arg COMMIT=$(COMMIT) $(BUILDFLAGS)

notices: ## write THIRD_PARTY_NOTICES from what the program links
	scripts/notices.sh > THIRD_PARTY_NOTICES.tmp && mv THIRD_PARTY_NOTICES.tmp THIRD_PARTY_NOTICES

generate: notices ## rewrite all generated files: schema, documentation tables, notices
	$(GO) test ./internal/config -run Schema -update
	$(GO) test ./internal/docstest -update
	$(GO) test ./internal/integrity/corpustest ./cmd/action -run '^TestAdversaryTable$$' -update

clean: ## remove what the build made
	rm -rf bin dist .cache

# A tool is installed once for each version, which its file name holds.
install = mkdir -p $(TOOLS) && GOBIN=$(TOOLS) $(GO) install $(1)@$(lastword $(subst -, ,$(notdir $@))) && mv $(TOOLS)/$(notdir $(1)) $@

$(GOLANGCI):
	$(call install,github.com/golangci/golangci-lint/v2/cmd/golangci-lint)
$(GOFUMPT):
	$(call install,mvdan.cc/gofumpt)
$(ACTIONLINT):
	$(call install,github.com/rhysd/actionlint/cmd/actionlint)
$(GOVULNCHECK):
	$(call install,golang.org/x/vuln/cmd/govulncheck)
