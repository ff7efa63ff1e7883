# Adze: `make` builds build/adze, `make demo` runs the main job, `make test` passes the tests.
# CONFIG is release (default) or debug (sanitizers, checks after every pass); CC is gcc or clang.
CONFIG ?= release
CC     := $(if $(filter default,$(origin CC)),gcc,$(CC))
PREFIX ?= /usr/local

WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wcast-qual \
        -Wvla -Wimplicit-fallthrough -Wswitch -Werror
CFLAGS_release := -O2 -g
CFLAGS_debug   := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -DADZE_DEBUG
CPPFLAGS := -Isrc -Iruntime -D_GNU_SOURCE -DADZE_PREFIX='"$(PREFIX)"'
CFLAGS   := -std=c17 $(WARN) $(CFLAGS_$(CONFIG)) $(EXTRA_CFLAGS)
LDLIBS   := -lpng -ljansson -lxxhash -ldl -lm -lpthread

LAYERS := $(shell cat src/LAYERS)
OUT    := build/$(notdir $(CC))-$(CONFIG)
# The objects of one layer, and those of a layer with all layers below it.
layer_objs = $(patsubst %.c,$(OUT)/%.o,$(sort $(wildcard src/$(1)/*.c)))
upto       = $(if $(filter $(1),$(firstword $(2))),$(1),$(firstword $(2)) $(call upto,$(1),$(wordlist 2,99,$(2))))
upto_objs  = $(foreach l,$(call upto,$(1),$(LAYERS)),$(call layer_objs,$(l)))
runtime_objs := $(patsubst %.c,$(OUT)/%.o,$(sort $(wildcard runtime/*.c)))
all_objs   := $(foreach l,$(LAYERS),$(call layer_objs,$(l))) $(runtime_objs)

build/adze: $(OUT)/adze
	@mkdir -p build && cp $< $@

$(OUT)/adze: $(all_objs)
	$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)

$(OUT)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

-include $(all_objs:.o=.d)

# Unit tests: tests/LAYER/*.c, each a cmocka program linked with the layers up to LAYER.
unit_progs = $(patsubst %.c,$(OUT)/%,$(sort $(wildcard tests/$(1)/*.c)))
define unit_rules
$(call unit_progs,$(1)): $(OUT)/tests/$(1)/%: tests/$(1)/%.c $(2)
	@mkdir -p $$(@D)
	$$(CC) $$(CPPFLAGS) -Itests $$(CFLAGS) -o $$@ $$^ -lcmocka $$(LDLIBS)
unit-$(1): $(call unit_progs,$(1))
	@set -e; for t in $$^; do echo "== $$$$t"; $$$$t; done
.PHONY: unit-$(1)
endef
$(foreach l,$(LAYERS),$(eval $(call unit_rules,$(l),$(call upto_objs,$(l)) $(if $(filter driver,$(l)),$(runtime_objs)))))
$(eval $(call unit_rules,runtime,$(runtime_objs)))
unit: $(addprefix unit-,$(LAYERS) runtime)

clean:
	rm -rf build
.PHONY: unit clean
