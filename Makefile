# Tally. `make run` starts a site, `make test` tests it, `make help` lists all.

PORT = 8080
DIR  = var

ifdef SAN
BUILD    = build/san
SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=undefined \
           -fno-omit-frame-pointer
else
BUILD    = build
endif

CC       = gcc
# Debian 13's hiredis can encrypt connections, 12's cannot.
TLS     := $(shell $(CC) -E -include hiredis/hiredis_ssl.h -xc /dev/null \
             >/dev/null 2>&1 && echo -lhiredis_ssl -lssl -lcrypto)
CFLAGS   = -O2 -g
# What makes a mistake in the program hard to use, as far as the compiler knows it,
# and costs little: two of a hundred instructions. No shadow stacks or landing pads
# on x86: Linux holds no program to the latter, which cost as much again, and glibc's
# longjmp, by which fibers switch, cannot follow them from one shadow stack to another.
# A sanitizer finds the same mistakes in its own way.
ifndef SANITIZE
try       = $(shell $(CC) -Werror $1 -E -xc /dev/null >/dev/null 2>&1 && echo '$1')
HARDEN   := -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -fPIE -fstack-protector-strong \
            $(call try,-fstack-clash-protection) $(call try,-fcf-protection=none) \
            $(call try,-mbranch-protection=standard)
PROTECT   = -pie -Wl,-z,relro,-z,now,-z,noexecstack
endif
# The functions for Redis are one string that is longer than C99 asks compilers
# to take; every compiler takes it.
WARNINGS = -Wall -Wextra -Wpedantic -Wconversion -Wshadow \
           -Wstrict-prototypes -Wmissing-prototypes -Wno-overlength-strings
LANGUAGE = -std=c11 -pthread -D_GNU_SOURCE $(if $(TLS),-DWITH_TLS) -Isrc -I. -I$(BUILD)/generated
FLAGS    = $(LANGUAGE) $(WARNINGS) $(SANITIZE) $(HARDEN) $(CFLAGS)
LINK     = $(CC) $(FLAGS) $(PROTECT)
LIBS     = -lfcgi -lhiredis $(TLS) -lsodium -ljansson -lutf8proc -luriparser \
           -lcmark -lidn2 -lzxcvbn -lnettle -lseccomp -lsystemd -lm

SOURCES  = $(sort $(wildcard src/*/*.c))
MAIN     = $(BUILD)/obj/cli/main.o
OBJECTS  = $(filter-out $(MAIN),$(SOURCES:src/%.c=$(BUILD)/obj/%.o))
SUPPORT  = $(patsubst tests/%.c,$(BUILD)/tests/obj/%.o, \
             $(filter-out %/clock_shim.c,$(sort $(wildcard tests/support/*.c))))
UNITS    = $(sort $(wildcard tests/*/*_test.c))
PROGRAMS = $(UNITS:tests/%.c=$(BUILD)/tests/%)
SHIM     = $(BUILD)/tests/support/clock_shim.so
SPEC     = $(BUILD)/tests/mustache_spec
SYSTEMD  = $(BUILD)/tests/systemd

.DELETE_ON_ERROR:
.SECONDARY:

all: $(BUILD)/tally

help:
	@echo 'make run            install what is missing, build, and run a site'
	@echo '                    [PORT=$(PORT) DIR=$(DIR)]'
	@echo 'make demo           the same, with a demo to look at and to log in to'
	@echo 'make                build $(BUILD)/tally'
	@echo 'make test           all tests [SAN=1: under sanitizers]'
	@echo 'make check          the quick ones among them'
	@echo 'make cluster        a site on a Redis Cluster on this machine [SENTINEL=1]'
	@echo 'make chaos          faults of every kind under load [SECONDS=60 SEED=n'
	@echo '                    CLUSTER=1 SENTINEL=1 BUCKETS=n]'
	@echo 'make fuzz           look for inputs that break something [SECONDS=60]'
	@echo 'make bench          how fast it is [QUICK=1 JSON=FILE]'
	@echo 'make picture        renew the picture in README.md'
	@echo 'make install        program, units and all else [DESTDIR= PREFIX=/usr/local]'
	@echo 'make uninstall      take back what that installed'
	@echo 'make lint           formatting, warnings as errors, clang-tidy, cppcheck, luacheck'
	@echo 'make format         clang-format on every C file'
	@echo 'make clean          remove build/'

$(BUILD)/tally: $(MAIN) $(OBJECTS)
	$(LINK) $(LDFLAGS) -o $@ $^ $(LIBS)

# The flags are in this file.
$(BUILD)/obj/%.o: src/%.c Makefile
	@mkdir -p $(@D)
	$(CC) $(FLAGS) -MMD -MP -c -o $@ $<

# The functions that run inside Redis, as one C string: every line quoted. What
# the others use comes first.
FIRST     = keys post article mod_action flag comment check
FUNCTIONS = $(FIRST:%=src/store/functions/%.lua) \
            $(filter-out $(FIRST:%=src/store/functions/%.lua), \
              $(sort $(wildcard src/store/functions/*.lua)))
$(BUILD)/generated/functions.inc: $(FUNCTIONS)
	@mkdir -p $(@D)
	cat $^ | sed 's/\\/\\\\/g; s/"/\\"/g; s/^/"/; s/$$/\\n"/' > $@
# The names of those that the program calls: CALL("vote_3").
$(BUILD)/generated/calls.inc: $(SOURCES)
	@mkdir -p $(@D)
	grep -oh '"[a-z]\+\(_[a-z]\+\)*_[0-9]\+"' $^ | sort -u | sed 's/.*/CALL(&)/' > $@
$(BUILD)/obj/store/library.o $(BUILD)/tests/obj/store/keys_test.o \
  $(BUILD)/tests/obj/store/library_test.o: \
  $(BUILD)/generated/functions.inc $(BUILD)/generated/calls.inc

# The field tables of all models, from their structs.
VIEW_STRUCTS = src/views/templates.h $(filter-out src/views/templates.h, \
                 $(sort $(wildcard src/views/*.h src/lists/*.h)))
$(BUILD)/generated/view_types.inc: src/tools/view_types.awk $(VIEW_STRUCTS)
	@mkdir -p $(@D)
	awk -f $^ > $@
$(BUILD)/obj/views/views.o: $(BUILD)/generated/view_types.inc

# Running it.

run: needs-run
	@$(MAKE) --no-print-directory -s all
	@TALLY_PORT=$(PORT) exec $(BUILD)/tally up --dir $(DIR)

demo: needs-run
	@$(MAKE) --no-print-directory -s all
	@src/tools/demo $(DIR) $(BUILD)/tally
	@TALLY_PORT=$(PORT) exec $(BUILD)/tally up --dir $(DIR)

# On several nodes: src/tools/cluster starts them.
cluster: needs-run
	@$(MAKE) --no-print-directory -s all
	@TALLY_PORT=$(PORT) exec src/tools/cluster $(DIR)-nodes \
	    $(if $(SENTINEL),sentinel,cluster) $(BUILD)/tally up --dir $(DIR)-nodes/site

# Testing it. What a test prints is kept beside the program, in NAME.log.

$(BUILD)/tests/obj/%.o: tests/%.c Makefile
	@mkdir -p $(@D)
	$(CC) $(FLAGS) -MMD -MP -c -o $@ $<

$(PROGRAMS): $(BUILD)/tests/%: $(BUILD)/tests/obj/%.o $(SUPPORT) $(OBJECTS)
	@mkdir -p $(@D)
	$(LINK) $(LDFLAGS) -o $@ $^ -lcmocka $(LIBS)

$(SPEC): $(BUILD)/tests/obj/mustache/mustache_spec.o $(OBJECTS)
	$(LINK) $(LDFLAGS) -o $@ $^ $(LIBS)

$(SYSTEMD): $(BUILD)/tests/obj/server/systemd.o
	$(LINK) $(LDFLAGS) -o $@ $^

# Preloaded into Redis, so never built with a sanitizer.
$(SHIM): tests/support/clock_shim.c
	@mkdir -p $(@D)
	$(CC) $(LANGUAGE) $(WARNINGS) $(CFLAGS) -shared -fPIC -o $@ $< -ldl

programs: $(BUILD)/tally $(PROGRAMS) $(SHIM) $(SPEC) $(SYSTEMD)

SITE_TESTS = $(sort $(wildcard tests/site/*_test.mjs))
QUICK_UNITS = $(filter-out %/promise_test %/walk_test %/concurrent_test \
               %/redis_test,$(PROGRAMS))

test: needs-test
	@$(MAKE) --no-print-directory -s programs browser fuzzers
	@BUILD=$(BUILD) tests/run tests/structure_test $(if $(SAN),,tests/binary_test) \
	    $(PROGRAMS) tests/mustache/spec_test tests/fuzz/fuzz_test $(SITE_TESTS)

check: needs-check
	@$(MAKE) --no-print-directory -s programs
	@BUILD=$(BUILD) tests/run tests/structure_test $(if $(SAN),,tests/binary_test) \
	    $(QUICK_UNITS) tests/mustache/spec_test

# The npm packages are installed outside of the tree; the scripts that use them
# are copied there.
browser: $(BUILD)/site/node_modules/.complete
	@cp tests/site/* src/tools/*.mjs $(BUILD)/site/
$(BUILD)/site/node_modules/.complete: tests/site/package.json
	@mkdir -p $(BUILD)/site
	@cp tests/site/package*.json tests/site/.npmrc $(BUILD)/site/
	@cd $(BUILD)/site && npm ci --no-audit --no-fund --silent
	@touch $@

# The picture in README.md, of 256 colours, which takes a third of the bytes.
picture: needs-picture
	@$(MAKE) --no-print-directory -s programs browser
	@BUILD=$(BUILD) node $(BUILD)/site/screenshots.mjs $(BUILD)/front.png
	@pngquant --force --strip --speed 1 --output src/tools/front.png $(BUILD)/front.png

# Faults of every kind, one round of all at least; SEED repeats their order.

SECONDS = 60

chaos: needs-chaos
	@$(MAKE) --no-print-directory -s $(BUILD)/tally $(SHIM)
	@BUILD=$(BUILD) $(if $(BUCKETS),BUCKETS=$(BUCKETS)) \
	    $(if $(CLUSTER),NODES=cluster)$(if $(SENTINEL),NODES=sentinel) \
	    node tests/site/chaos.mjs $(SECONDS) $(SEED)

# Fuzzing it: a program a target, in a folder of their own since everything is
# compiled for it.

FUZZ_SANITIZE = -fsanitize=fuzzer-no-link,address,undefined \
                -fno-sanitize-recover=undefined -fno-omit-frame-pointer
FUZZERS = $(patsubst tests/fuzz/%.c,$(BUILD)/%,$(sort $(wildcard tests/fuzz/*.c)))

$(FUZZERS): $(BUILD)/%: $(BUILD)/tests/obj/fuzz/%.o $(OBJECTS)
	$(LINK) -fsanitize=fuzzer $(LDFLAGS) -o $@ $^ $(LIBS)

fuzz-programs: $(FUZZERS)

fuzzers:
	@$(MAKE) --no-print-directory -s BUILD=build/fuzz CC=clang \
	    WARNINGS='-Wall -Wextra' SANITIZE='$(FUZZ_SANITIZE)' fuzz-programs

fuzz: needs-fuzz
	@$(MAKE) --no-print-directory -s fuzzers
	@tests/fuzz/fuzz_test $(SECONDS)

# Measuring it: QUICK=1 for five minutes in place of twenty, JSON=FILE for the figures
# as an object as well, RECORD=1 to compare later runs with this one.

BENCH       = $(addprefix $(BUILD)/bench/,floor baseline data)
COUNTED     = $(BUILD)/bench/counted.so
BENCH_PARTS = $(patsubst %,$(BUILD)/tests/obj/bench/%.o, \
                server sample tally_layout writeups_layout)

$(BENCH): $(BUILD)/bench/%: $(BUILD)/tests/obj/bench/%.o $(BENCH_PARTS) $(OBJECTS)
	@mkdir -p $(@D)
	$(LINK) $(LDFLAGS) -o $@ $^ $(LIBS)

# Only measuring needs valgrind, and its header.
$(COUNTED): tests/bench/counted.c
	@mkdir -p $(@D)
	$(CC) $(FLAGS) -shared -fPIC -o $@ $<

bench-programs: $(BUILD)/tally $(BENCH)

bench: needs-bench
	@$(MAKE) --no-print-directory -s bench-programs $(COUNTED)
	@BUILD=$(BUILD) QUICK=$(QUICK) JSON=$(JSON) \
	    RECORD=$(RECORD) node tests/bench/bench.mjs

# Installing it where Debian looks for what its administrator installs; packages
# want PREFIX=/usr. Settings that are there already stay. The files are put together
# in a folder first, for a list of them: what it names `make uninstall` takes back.

PREFIX = /usr/local
DEPLOY = src/deploy
LIST   = $(PREFIX)/share/tally/installed
AT_PREFIX = sed -E 's,/usr/(bin|libexec|share)/tally,$(PREFIX)/\1/tally,g'
# The installed program's own pages, of no owner's templates.
ERROR_PAGES = env -u TALLY_CONFIG TALLY_SHARE=. TALLY_OVERRIDES=. $(BUILD)/tally error-pages

install: $(BUILD)/tally
	@stage=$$(mktemp -d) && trap "rm -rf $$stage" EXIT && \
	    $(MAKE) --no-print-directory -s stage STAGE=$$stage && \
	    src/tools/install_files put $$stage '$(DESTDIR)' $(LIST)

uninstall:
	@src/tools/install_files take '$(DESTDIR)' $(LIST)

stage: SHARE = $(STAGE)$(PREFIX)/share
stage: LIB = $(STAGE)$(PREFIX)/lib
stage:
	install -D -m 755 $(BUILD)/tally $(STAGE)$(PREFIX)/bin/tally
	install -D -m 755 $(DEPLOY)/redis-users \
	    $(STAGE)$(PREFIX)/libexec/tally/redis-users
	install -d $(addprefix $(SHARE)/tally/,templates static nginx) \
	    $(SHARE)/man/man1 $(SHARE)/bash-completion/completions \
	    $(LIB)/systemd/system $(LIB)/sysusers.d \
	    $(STAGE)/etc/tally $(STAGE)/etc/nginx/sites-available
	install -m 644 templates/* $(SHARE)/tally/templates
	install -m 644 static/* $(SHARE)/tally/static
	install -m 644 nginx/http.conf nginx/server.conf nginx/up.conf \
	    $(SHARE)/tally/nginx
	$(ERROR_PAGES) $(SHARE)/tally/errors
	install -m 644 $(DEPLOY)/tally.bash $(SHARE)/bash-completion/completions/tally
	install -m 644 $(DEPLOY)/tally.sysusers $(LIB)/sysusers.d/tally.conf
	cd $(DEPLOY) && install -m 644 tally.conf redis.conf redis-node.conf \
	    $(STAGE)/etc/tally
	$(AT_PREFIX) $(DEPLOY)/tally.1 | \
	    install -m 644 /dev/stdin $(SHARE)/man/man1/tally.1
	$(AT_PREFIX) nginx/tally.conf | \
	    install -m 644 /dev/stdin $(STAGE)/etc/nginx/sites-available/tally
	for unit in tally.service tally.socket tally-redis.service \
	    tally-redis@.service; do $(AT_PREFIX) $(DEPLOY)/$$unit | \
	    install -m 644 /dev/stdin $(LIB)/systemd/system/$$unit || exit 1; done

# Keeping it clean.

# Versions differ in what they make of a line, so it is one of them that both
# Debians have.
CLANG_FORMAT = clang-format-19

# The table of routes is one row a line, however long.
C_FILES = $(filter-out src/pages/routes.h, \
            $(sort $(wildcard src/*/*.[ch] tests/*/*.[ch])))

lint: needs-lint
	$(CLANG_FORMAT) --dry-run -Werror $(C_FILES)
	@$(MAKE) --no-print-directory -s BUILD=build/lint WARNINGS='$(WARNINGS) -Werror' \
	    programs bench-programs
	luacheck --quiet --no-config --std lua51 \
	    --globals tally --read-globals import redis struct -- src/store/functions
	clang-tidy --quiet $(SOURCES) -- $(LANGUAGE) -Ibuild/lint/generated
	cppcheck --quiet --std=c11 --language=c --error-exitcode=1 \
	    --enable=warning,portability,performance --inline-suppr \
	    --suppress=missingIncludeSystem --suppress=normalCheckLevelMaxBranches \
	    -D__GNUC__ '-D_Noreturn=__attribute__((noreturn))' \
	    -Isrc -Ibuild/lint/generated src

format:
	$(CLANG_FORMAT) -i $(C_FILES)

clean:
	rm -rf build

# Installing what is missing: packages by name, or the command that they bring
# ("command:package") where several packages bring the same one.

NEEDS_BUILD = gcc libc6-dev libfcgi-dev libhiredis-dev libssl-dev libsodium-dev \
              libjansson-dev libutf8proc-dev liburiparser-dev \
              libcmark-dev libidn2-dev libzxcvbn-dev nettle-dev libseccomp-dev \
              libsystemd-dev
NEEDS_RUN   = $(NEEDS_BUILD) nginx:nginx-light redis-server:redis-server \
              awk:mawk
NEEDS_CHECK = $(NEEDS_RUN) libcmocka-dev readelf:binutils
NEEDS_FUZZ  = $(NEEDS_BUILD) clang:clang libclang-rt-dev
NEEDS_TEST  = $(NEEDS_CHECK) $(NEEDS_FUZZ) node:nodejs npm:npm \
              chromium:chromium ca-certificates mount:mount openssl:openssl \
              mandoc:mandoc systemd-analyze:systemd wrk:wrk \
              tmux:tmux w3m:w3m lynx:lynx
NEEDS_PICTURE = $(NEEDS_TEST) pngquant:pngquant
NEEDS_CHAOS = $(NEEDS_RUN) node:nodejs mount:mount
NEEDS_BENCH = $(NEEDS_RUN) wrk:wrk node:nodejs redis-cli:redis-tools \
              valgrind:valgrind strace:strace
NEEDS_LINT  = $(NEEDS_CHECK) clang-tidy:clang-tidy cppcheck:cppcheck \
              luacheck:lua-check \
              $(CLANG_FORMAT):$(CLANG_FORMAT)

needs-run:
	@src/tools/install_missing $(NEEDS_RUN)
needs-check:
	@src/tools/install_missing $(NEEDS_CHECK)
needs-test:
	@src/tools/install_missing $(NEEDS_TEST)
needs-picture:
	@src/tools/install_missing $(NEEDS_PICTURE)
needs-chaos:
	@src/tools/install_missing $(NEEDS_CHAOS)
needs-fuzz:
	@src/tools/install_missing $(NEEDS_FUZZ)
needs-bench:
	@src/tools/install_missing $(NEEDS_BENCH)
needs-lint:
	@src/tools/install_missing $(NEEDS_LINT)

.PHONY: all help run demo cluster programs test check browser picture chaos fuzz fuzzers \
        fuzz-programs bench bench-programs install uninstall stage lint format clean \
        needs-run needs-check needs-test needs-picture needs-chaos needs-fuzz needs-bench \
        needs-lint

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
