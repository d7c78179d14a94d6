# Tally: `make run` starts a site, `make test` tests it; `make help` lists more.

PORT = 8080
DIR  = var

ifdef SAN
BUILD = build/san
SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=undefined \
           -fno-omit-frame-pointer
else
BUILD = build
endif

CC       = gcc
CFLAGS   = -O2 -g
WARNINGS = -Wall -Wextra -Wpedantic -Wconversion -Wshadow \
           -Wstrict-prototypes -Wmissing-prototypes
FLAGS    = -std=c11 -D_GNU_SOURCE -Isrc -I$(BUILD)/generated $(WARNINGS) \
           $(SANITIZE) $(CFLAGS)
LIBS     = -lfcgi -lhiredis -lsodium -ljansson -lutf8proc -luriparser

SOURCES  = $(sort $(wildcard src/*/*.c))
OBJECTS  = $(SOURCES:src/%.c=$(BUILD)/obj/%.o)
TESTS    = $(patsubst tests/%.c,$(BUILD)/tests/%,$(sort $(wildcard tests/*/*_test.c)))

all: $(BUILD)/tally

$(BUILD)/tally: $(BUILD)/obj/main.o $(OBJECTS)
	$(CC) $(FLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

$(BUILD)/obj/%.o: src/%.c
	@mkdir -p $(@D)
	$(CC) $(FLAGS) -MMD -MP -c -o $@ $<

# The functions that run inside Redis, as one C string: every line quoted.
FUNCTIONS = src/store/functions/keys.lua \
            $(filter-out %/keys.lua,$(sort $(wildcard src/store/functions/*.lua)))
$(BUILD)/generated/functions.inc: $(FUNCTIONS)
	@mkdir -p $(@D)
	cat $^ | sed 's/\\/\\\\/g; s/"/\\"/g; s/^/"/; s/$$/\\n"/' > $@
$(BUILD)/obj/store/site.o: $(BUILD)/generated/functions.inc
