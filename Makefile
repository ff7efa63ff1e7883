# Adze: `make` builds build/adze, `make demo` runs the main job, `make test` passes the tests.
# CONFIG is release (default) or debug (sanitizers, checks after every pass); CC is gcc or clang.
CONFIG ?= release
CC     := $(if $(filter default,$(origin CC)),gcc,$(CC))
PREFIX ?= /usr/local

WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wcast-qual \
        -Wvla -Wimplicit-fallthrough -Wswitch -Werror
CFLAGS_release := -O2 -g
CFLAGS_debug   := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -DADZE_DEBUG
CPPFLAGS := -Isrc -Iruntime -Ibuild/gen -D_GNU_SOURCE -DADZE_PREFIX='"$(PREFIX)"'
CFLAGS   := -std=c17 $(WARN) $(CFLAGS_$(CONFIG)) $(EXTRA_CFLAGS)
LDLIBS   := -lpng -ljansson -lxxhash -ldl -lm -lpthread

VERSION := 0.1.0
CPPFLAGS += -DADZE_VERSION='"$(VERSION)"'

LAYERS := $(shell cat src/LAYERS)
OUT    := build/$(notdir $(CC))-$(CONFIG)
GEN    := build/gen/adze_support_text.h build/gen/adze_field_text.h build/gen/prelude_text.h
# The objects of one layer, and those of a layer with all layers below it.
layer_objs = $(patsubst %.c,$(OUT)/%.o,$(sort $(wildcard src/$(1)/*.c)))
upto       = $(if $(filter $(1),$(firstword $(2))),$(1),$(firstword $(2)) $(call upto,$(1),$(wordlist 2,99,$(2))))
upto_objs  = $(foreach l,$(call upto,$(1),$(LAYERS)),$(call layer_objs,$(l)))
runtime_objs := $(patsubst %.c,$(OUT)/%.o,$(sort $(wildcard runtime/*.c)))
lib_objs   := $(filter-out %/driver/main.o,$(foreach l,$(LAYERS),$(call layer_objs,$(l)))) $(runtime_objs)
main_obj   := $(OUT)/src/driver/main.o

.DEFAULT_GOAL := build/adze
.PHONY: adze deps demo test unit programs cli format format-check layers bench install uninstall clean FORCE

build/adze: FORCE
	@$(MAKE) --no-print-directory CONFIG=release build/$(notdir $(CC))-release/adze
	@cmp -s build/$(notdir $(CC))-release/adze $@ || cp build/$(notdir $(CC))-release/adze $@

$(OUT)/adze: $(lib_objs) $(main_obj)
	$(CC) $(CFLAGS) -rdynamic -o $@ $^ $(LDLIBS)

$(OUT)/%.o: %.c | $(GEN)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

-include $(lib_objs:.o=.d) $(main_obj:.o=.d)

# Texts that are part of the compiler.
build/gen/adze_support_text.h: runtime/adze_support.h tools/embed.sh
	@mkdir -p $(@D) && tools/embed.sh adze_support_text $< > $@.tmp && mv $@.tmp $@
build/gen/adze_field_text.h: runtime/adze_field.h tools/embed.sh
	@mkdir -p $(@D) && tools/embed.sh adze_field_text $< > $@.tmp && mv $@.tmp $@
build/gen/prelude_text.h: lib/prelude.adz tools/embed.sh
	@mkdir -p $(@D) && tools/embed.sh prelude_text $< > $@.tmp && mv $@.tmp $@

# Unit tests: tests/LAYER/*.c, each a cmocka program linked with the layers up to LAYER.
unit_progs = $(patsubst %.c,$(OUT)/%,$(sort $(wildcard tests/$(1)/*.c)))
define unit_rules
$(call unit_progs,$(1)): $(OUT)/tests/$(1)/%: tests/$(1)/%.c $(2) | $$(GEN)
	@mkdir -p $$(@D)
	$$(CC) $$(CPPFLAGS) -Itests $$(CFLAGS) -rdynamic -o $$@ $$^ -lcmocka $$(LDLIBS)
unit-$(1): $(call unit_progs,$(1))
	@set -e; for t in $$^; do echo "== $$$$t"; $$$$t; done
.PHONY: unit-$(1)
endef
$(foreach l,$(filter-out driver,$(LAYERS)),$(eval $(call unit_rules,$(l),$(call upto_objs,$(l)))))
$(eval $(call unit_rules,driver,$(lib_objs)))
$(eval $(call unit_rules,programs,$(lib_objs)))
$(eval $(call unit_rules,runtime,$(runtime_objs)))
unit: $(addprefix unit-,$(LAYERS) runtime programs)

clean:
	rm -rf build
