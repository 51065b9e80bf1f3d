# archtool: build, test, install. `make help` lists the targets.

PREFIX ?= /usr/local
# Targets run for so many seconds, or with RUNS for so many executions.
SECONDS ?= $(if $(RUNS),0,60)
SIZE ?= 300
SEED ?= 1
DESTDIR ?=
SWIFT ?= swift
# More options of `swift build`, and what Scripts/install-dependencies.sh installs first; nothing if it is empty.
BUILD_OPTIONS ?=
DEPENDENCIES ?= build
# The address of the project and who makes its packages: the owner sets both here.
HOMEPAGE ?= https://example.org/archtool
MAINTAINER ?= archtool maintainers <archtool@example.org>
BINARY = .build/release/archtool
# A program that the command line names is there: `make instructions BINARY=PROGRAM` builds none.
BUILD := $(if $(findstring command,$(origin BINARY)),,build)
# An older build that the benchmarks compare with.
BASELINE ?=
BENCH_OPTIONS = $(if $(BASELINE),--baseline '$(BASELINE)')
BENCH_PYTHON = Benchmarks/.build/python

# Linux programs carry the Swift libraries in themselves; macOS has them.
ifeq ($(shell uname -s),Darwin)
RELEASE = -c release --product archtool --disable-local-rpath
CHECK_START = true
else
# They look for no library in their own folder, nothing of their tables can be written once they run, and they offer
# no symbol to others. Documentation/Toolchain.md says what each line wins, and how it is checked.
RELEASE = -c release --product archtool --static-swift-stdlib --disable-local-rpath \
	-Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors \
	-Xswiftc -Xfrontend -Xswiftc -disable-implicit-string-processing-module-import \
	-Xswiftc -L -Xswiftc "$(CURDIR)/.build/static" -Xswiftc -Xclang-linker -Xswiftc -static-libgcc \
	-Xlinker --no-export-dynamic -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now -Xlinker --build-id=sha1
# With the linker of the Swift toolchain, the whole program is optimized at once: a dump of a large archive takes nine
# tenths of the time. It keeps equal functions and constants once: nothing compares their addresses. What a start and a
# small dump use is next to each other in the program, so that the system reads few pages of it.
TOOLCHAIN := $(shell $(SWIFT) -print-target-info 2>/dev/null | sed -n 's|.*"runtimeResourcePath": "\(.*\)/lib/swift".*|\1|p')
ifneq ($(and $(TOOLCHAIN),$(wildcard $(TOOLCHAIN)/bin/ld.lld)),)
RELEASE += --experimental-lto-mode full -Xswiftc -Xclang-linker -Xswiftc -flto=full -Xswiftc -use-ld=lld \
	-Xlinker --icf=all -Xlinker --ignore-data-address-equality \
	-Xlinker --symbol-ordering-file -Xlinker "$(CURDIR)/Scripts/symbol-order.txt" -Xlinker --no-warn-symbol-ordering
CHECK_START = sh Scripts/check-start.sh $(BINARY)
else
CHECK_START = echo "$(SWIFT) has no ld.lld beside it: $(BINARY) is built without link-time optimization" >&2
endif
endif

# No folder of the machine is named in the program or in its debug symbols.
RELEASE += -Xswiftc -file-prefix-map -Xswiftc "$(CURDIR)=archtool" -Xswiftc -Xfrontend -Xswiftc -no-clang-module-breadcrumbs \
	-Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen

# The order of what the compiler writes depends on the addresses of its objects: they are not random where that is possible.
FIXED_ADDRESSES = $(shell setarch -R true >/dev/null 2>&1 && echo setarch -R)

.PHONY: help dependencies build demo test test-build test-inner test-outer test-release test-extensions test-library test-pairs test-spark test-duckdb test-browser test-completions lint format man docs pictures update-transcripts bench \
	bench-report instructions symbol-order growth fuzz fuzz-ci review \
	review-ci install uninstall tarball deb rpm formula packages release test-packages test-reproducible clean

help:
	@echo "make demo                 build, then dump, validate and migrate archives of TestArchives"
	@echo "make test                 lint, build with warnings as errors, run every test"
	@echo "make test-release         the same, with the release program where tests start archtool"
	@echo "make test-extensions      add a command, an encoding, a class and a report to a copy of the package, and use them"
	@echo "make test-library         build a package that depends on ArchiveKit, and see what it links"
	@echo "make test-pairs           try all pairs of options of every command, for minutes"
	@echo "make test-spark           test the Spark jobs of Examples/spark (skipped where Java 17 is missing)"
	@echo "make test-duckdb          run the recipe for DuckDB of the tutorial (skipped where it cannot be installed)"
	@echo "make test-browser         test the explorer's page in Chromium"
	@echo "make test-completions     press Tab in bash, zsh and fish (skipped where one is missing)"
	@echo "make build                build the release program: $(BINARY)"
	@echo "make install PREFIX=DIR   install program, manual pages and completions (default $(PREFIX))"
	@echo "make tarball deb rpm      make packages in .build/packages (deb needs dpkg-deb, rpm needs rpmbuild)"
	@echo "make release              make all packages of the last commit, the same bytes wherever it is built"
	@echo "make formula              make the source archive and its Homebrew formula"
	@echo "make test-packages        install each package in a clean root, run and remove it"
	@echo "make test-reproducible    build the last commit twice, and compare the packages"
	@echo "make uninstall PREFIX=DIR take them away again"
	@echo "make bench                measure speed and memory beside other programs"
	@echo "make bench BASELINE=FILE  the same, and beside the older build FILE"
	@echo "make bench-report         the same, and rewrite the table in Benchmarks/README.md and Benchmarks/plot.svg"
	@echo "make instructions         count instructions under valgrind, and how they grow with the input"
	@echo "make symbol-order         write the order in which the linker lays out functions and variables"
	@echo "make growth               measure how processor time grows with the input"
	@echo "make fuzz SECONDS=N       fuzz the readers with libFuzzer and the address sanitizer (default 60)"
	@echo "make fuzz RUNS=N          the same for N executions of each target"
	@echo "make fuzz-ci              the same for a minute, as continuous integration does"
	@echo "make review SIZE=N SEED=S decode and migrate N random archives beside judges, change N records, let N calls fail"
	@echo "make review-ci            the same at a small size, of the program that was built for tests"
	@echo "make format               format the sources"
	@echo "make man                  write the manual pages that are made from the description of the commands"
	@echo "make docs DOCS=DIR        write the manual pages as HTML (default $(DOCS))"
	@echo "make pictures             draw the pictures of README.md"
	@echo "make update-transcripts   accept what the commands in TestArchives/Transcripts print now"

dependencies:
	@test -z '$(DEPENDENCIES)' || sh Scripts/install-dependencies.sh $(DEPENDENCIES)

build: dependencies
	@sh Scripts/link-settings.sh .build
	@sh Scripts/split-symbols.sh --undo $(BINARY)
	PKG_CONFIG_PATH="$(CURDIR)/.build/pkgconfig" $(FIXED_ADDRESSES) $(SWIFT) build $(RELEASE) $(BUILD_OPTIONS)
	@$(CHECK_START)
	@sh Scripts/split-symbols.sh $(BINARY)

# The program as the tests build it: they use it again, and it is there sooner than an optimized one.
demo: dependencies
	$(SWIFT) build --product archtool -Xswiftc -warnings-as-errors
	@sh Scripts/demo.sh "$$($(SWIFT) build --show-bin-path)/archtool"

lint:
	$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests \
		Benchmarks/FoundationPeer/Package.swift Benchmarks/FoundationPeer/Sources

# End-to-end suites with bounds on time, memory or depth keep the program of the tests, which needs more of each.
BOUNDED_SUITES = DeepArchiveTests|HostileShapeTests|RecoveredTextTests|SchemaCheckTests

test: test-build
	@SWIFT='$(SWIFT)' sh Scripts/run-tests.sh --skip-build -Xswiftc -warnings-as-errors

test-build:
	@sh Scripts/install-dependencies.sh test
	$(MAKE) lint
	$(SWIFT) build --build-tests -Xswiftc -warnings-as-errors

# The same tests in less time: optimization of the whole program must change no answer.
test-release: test-inner test-outer

OUTER_SUITES = EndToEndTests\.(?!($(BOUNDED_SUITES))/)

# Tests that start no program, or that of the tests.
test-inner: test-build
	@SWIFT='$(SWIFT)' sh Scripts/run-tests.sh --skip-build -Xswiftc -warnings-as-errors --skip '$(OUTER_SUITES)'

# Tests that start the release program.
test-outer: $(BUILD) test-build
	@SWIFT='$(SWIFT)' sh Scripts/test-release.sh $(BINARY) '$(OUTER_SUITES)'

test-pairs:
	$(SWIFT) build --build-tests
	ARCHTOOL_ALL_PAIRS=1 $(SWIFT) test --skip-build --filter OptionPairTests

# Follows CONTRIBUTING in a copy of the package: a command, an encoding, a class and a report, a file and a row each.
test-extensions:
	@sh Scripts/test-extensions.sh

# A package with targets of its own depends on the library.
test-library:
	@SWIFT='$(SWIFT)' sh Scripts/test-library.sh

test-spark:
	@sh Scripts/test-spark.sh

test-duckdb:
	@sh Scripts/test-duckdb.sh

test-browser:
	@sh Scripts/test-browser.sh

test-completions:
	@sh Scripts/test-completions.sh

format:
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests

# The pages that are generated; the others are written by hand.
MANUALS = archtool.1 archtool-classes.7 archtool-lints.7

man: build
	for page in $(MANUALS); do $(BINARY) help --manual $$page > man/$$page; done

DOCS ?= .build/docs

docs:
	@sh Scripts/install-dependencies.sh docs
	sh Scripts/docs.sh '$(DOCS)'

# The pictures of README.md, in .github/images.
pictures:
	$(SWIFT) build --product archtool
	sh Scripts/pictures.sh

update-transcripts:
	$(SWIFT) build --build-tests
	ARCHTOOL_UPDATE_TRANSCRIPTS=1 $(SWIFT) test --skip-build --filter Transcript
	python3 Scripts/refresh_pages.py

bench: $(BUILD)
	python3 Benchmarks/bench.py --archtool $(BINARY) $(BENCH_OPTIONS)

# matplotlib and the peers in Python are installed into a folder of their own.
bench-report: $(BUILD)
	python3 -m venv $(BENCH_PYTHON)
	$(BENCH_PYTHON)/bin/pip install --quiet --requirement Benchmarks/requirements.txt
	$(BENCH_PYTHON)/bin/python Benchmarks/bench.py --archtool $(BINARY) $(BENCH_OPTIONS) \
		--plot Benchmarks/plot.svg --readme Benchmarks/README.md

# Counts do not depend on what else the machine does. INSTRUCTIONS may be --require: valgrind must be there.
instructions: $(BUILD)
	@sh Scripts/install-dependencies.sh instructions
	python3 Benchmarks/instructions.py $(BINARY) $(INSTRUCTIONS)
	python3 Benchmarks/growth.py $(BINARY) --instructions $(INSTRUCTIONS)

# The list that the build gives to the linker, after larger changes of what a start or a small dump runs.
symbol-order: build
	@sh Scripts/install-dependencies.sh instructions
	python3 Benchmarks/symbol_order.py $(BINARY)
	@# A build does not notice that the list has changed: the next one links anew.
	@rm -f $(BINARY) $(BINARY).linked

growth: $(BUILD)
	python3 Benchmarks/make_workloads.py v1-5000 v1-100000 v1-500000
	python3 Benchmarks/growth.py $(BINARY)

fuzz:
	@sh Scripts/install-dependencies.sh fuzz
	sh Scripts/fuzz.sh $(SECONDS) '$(READERS)' $(if $(RUNS),-runs=$(RUNS))

# A minute of all targets, from the same random numbers each time; leaks are left to `make fuzz`, since not every container lets the check look for them.
fuzz-ci:
	@sh Scripts/install-dependencies.sh fuzz
	ASAN_OPTIONS=detect_leaks=0 FUZZ_OPTIMIZATION=-Onone sh Scripts/fuzz.sh 2 \
		'binary xml openstep json json5 typedstream bookmark nib cms text gzip recovery records plan journal writers demangler patterns queries differences patches' -timeout=20 -seed=1
	ASAN_OPTIONS=detect_leaks=0 FUZZ_OPTIMIZATION=-Onone sh Scripts/fuzz.sh 8 \
		'keyed integrity schema rules lens convert everything' -timeout=20 -seed=1

# Judges that share no code with the program; the test suite runs them at a small size.
review: $(BUILD)
	sh Scripts/review.sh $(BINARY) $(SIZE) $(SEED)

# The same at a small size, of the program that the tests have built. A bound on processor time is for an optimized one,
# and wide: machines differ.
review-ci: $(BUILD)
	FAMILIES=200 MUTANTS=2000 GENERATED=25 sh Scripts/review.sh "$$($(SWIFT) build --show-bin-path)/archtool" 60 1 $(BINARY) \
		--only properties_schema --seconds 10

install: build
	sh Packaging/stage.sh $(BINARY) "$(DESTDIR)$(PREFIX)"

uninstall:
	rm -f "$(DESTDIR)$(PREFIX)/bin/archtool" \
		"$(DESTDIR)$(PREFIX)/share/bash-completion/completions/archtool" \
		"$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_archtool" \
		"$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/archtool.fish"
	@for page in man/*.[157]; do \
		rm -f "$(DESTDIR)$(PREFIX)/share/man/man$${page##*.}/$${page##*/}"; done

# Packages are made of the release program, into .build/packages.
REPOSITORY ?= $(CURDIR)
PACKAGING = HOMEPAGE='$(HOMEPAGE)' MAINTAINER='$(MAINTAINER)' REPOSITORY='$(REPOSITORY)' sh Packaging

tarball: build
	@$(PACKAGING)/tarball.sh

deb: build
	@$(PACKAGING)/deb.sh

rpm: build
	@$(PACKAGING)/rpm.sh

formula: build
	@$(PACKAGING)/formula.sh

# All that can be made on this system.
packages: build
	@$(PACKAGING)/tarball.sh
	@$(PACKAGING)/formula.sh
	@if command -v dpkg-deb >/dev/null 2>&1; then $(PACKAGING)/deb.sh; fi
	@if command -v rpmbuild >/dev/null 2>&1; then $(PACKAGING)/rpm.sh; fi

# The same of the last commit, as they are published: the same bytes on every machine with the same tools.
release: dependencies
	@HOMEPAGE='$(HOMEPAGE)' MAINTAINER='$(MAINTAINER)' sh Scripts/make-release.sh

test-packages: $(BUILD)
	@HOMEPAGE='$(HOMEPAGE)' MAINTAINER='$(MAINTAINER)' sh Scripts/test-packages.sh

# Makes the release of the last commit twice, from two folders, and compares all packages.
test-reproducible:
	@sh Scripts/test-reproducible.sh

clean:
	$(SWIFT) package clean
	rm -rf Benchmarks/.work
