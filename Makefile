# Tally. `make run` starts a site, `make test` tests it, `make help` lists the rest.

VERSION = 0.9.0

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
# Debian 13's hiredis has TLS, Debian 12's does not.
TLS     := $(shell $(CC) -E -include hiredis/hiredis_ssl.h -xc /dev/null \
             >/dev/null 2>&1 && echo -lhiredis_ssl -lssl -lcrypto)
CFLAGS  ?= -O2 -g
# Hardening: mitigations that the compiler knows, for 2 % more instructions. No shadow
# stacks or landing pads on x86: Linux does not enforce the latter, which cost as much
# again, and glibc's longjmp, by which fibers switch, cannot change shadow stacks.
# They come behind a distribution's CPPFLAGS and CFLAGS. Sanitizers replace all of it.
ifndef SANITIZE
try       = $(shell $(CC) -Werror $1 -E -xc /dev/null >/dev/null 2>&1 && echo '$1')
HARDEN   := -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -fPIE -fstack-protector-strong \
            $(call try,-fstack-clash-protection) $(call try,-fcf-protection=none) \
            $(call try,-mbranch-protection=standard)
PROTECT   = -pie -Wl,-z,relro,-z,now,-z,noexecstack
endif
# The Redis functions are one string literal, longer than the 4095 characters that C99
# guarantees; every compiler accepts it.
WARNINGS = -Wall -Wextra -Wpedantic -Wconversion -Wshadow \
           -Wstrict-prototypes -Wmissing-prototypes -Wno-overlength-strings \
           -Werror=implicit-function-declaration
LANGUAGE = -std=c11 -pthread -D_GNU_SOURCE $(if $(TLS),-DWITH_TLS) -Isrc -I. -I$(BUILD)/generated
CODE     = $(LANGUAGE) $(SANITIZE) $(CPPFLAGS) $(CFLAGS) $(HARDEN)
COMPILE  = $(CC) $(CODE) $(WARNINGS)
LINK     = $(CC) $(CODE) $(PROTECT) $(LDFLAGS)
LIBS     = -lfcgi -lhiredis $(TLS) -lsodium -ljansson -lutf8proc -luriparser \
           -lcmark -lidn2 -lpsl -lzxcvbn -loath -lqrencode -lnettle -lseccomp -lsystemd -lsqlite3 -lz -lm

SOURCES  = $(sort $(filter-out src/tools/%,$(wildcard src/*/*.c)))
# Incomplete translations, which are not offered.
SKELETONS = ar
TRANSLATIONS = $(filter-out $(SKELETONS:%=templates/po/%.po),$(wildcard templates/po/*.po))
LOCALE   = templates/locale/tally/LC_MESSAGES
CATALOGS = $(patsubst templates/po/%.po,$(LOCALE)/%.mo,$(TRANSLATIONS))
MAIN     = $(BUILD)/obj/cli/main.o
OBJECTS  = $(filter-out $(MAIN),$(SOURCES:src/%.c=$(BUILD)/obj/%.o))
SUPPORT  = $(patsubst tests/%.c,$(BUILD)/tests/obj/%.o, \
             $(filter-out %/clock_shim.c,$(sort $(wildcard tests/support/*.c))))
UNITS    = $(sort $(wildcard tests/*/*_test.c))
PROGRAMS = $(UNITS:tests/%.c=$(BUILD)/tests/%)
SHIM     = $(BUILD)/tests/support/clock_shim.so
SPEC     = $(BUILD)/tests/mustache_spec
SYSTEMD  = $(BUILD)/tests/systemd
# All that tests link with besides their own object: of an archive the linker takes
# what is needed, which makes a program in a third of the time.
ARCHIVES = $(BUILD)/tests/support.a $(BUILD)/tally.a

# One line for each command ("CC store/vote.c"), or with V=1 the command itself.
quiet  = $(if $(V),,@$(if $(SILENT),,echo '  $1' &&))
SILENT = $(findstring s,$(filter-out --%,$(firstword -$(MAKEFLAGS))))
# A make of this Makefile's own, which uses all cores.
SUBMAKE = $(MAKE) --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))

# Writes what it reads to the target, whose time changes only if its text does.
UPDATE = { cat >$@.new && if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi; }

.DELETE_ON_ERROR:
.SECONDARY:

# Elsewhere than on Debian the packages have other names.
all: $(if $(shell command -v apt-get),needs-build)
	@$(SUBMAKE) built
built: $(BUILD)/tally $(if $(filter build,$(BUILD)),compile_commands.json)

help:
	@echo 'make run            build, and run a site [PORT=$(PORT) DIR=$(DIR)]'
	@echo 'make demo           the same with sample content, and members to log in as'
	@echo 'make cluster        a site on a Redis Cluster on this machine [SENTINEL=1]'
	@echo 'make                build $(BUILD)/tally [V=1: show the commands]'
	@echo 'make deps           install the packages that run, test and lint need; these'
	@echo '                    three call it themselves'
	@echo
	@echo 'make test           all tests but the long ones, in 8 minutes [SAN=1: under'
	@echo '                    sanitizers; T=store, T=pages/vote, T=site/http: only these;'
	@echo '                    REDIS=valkey-server: on Valkey]'
	@echo 'make check          the tests that need no browser and no whole site'
	@echo 'make test-long      the long ones: random walks, sites on several Redis nodes'
	@echo 'make test-firefox   the tests with a browser, in Firefox instead of Chromium'
	@echo 'make lint           formatting, warnings as errors, clang-tidy, cppcheck, luacheck'
	@echo 'make release-check  before a release, an hour: all of the above on bare'
	@echo '                    Debians 12 and 13 (needs root, debootstrap and a network),'
	@echo '                    the package there,'
	@echo '                    screenshots into $(BUILD)/screenshots, bench, long chaos'
	@echo 'make chaos          faults of every kind under load [SECONDS=60 SEED=n'
	@echo '                    CLUSTER=1 SENTINEL=1 BUCKETS=n]'
	@echo 'make fuzz           fuzz the parsers [SECONDS=60]'
	@echo 'make bench          measure speed and memory [QUICK=1 PEERS=1 JSON=FILE]'
	@echo
	@echo 'make install        install the program, its units and its files'
	@echo '                    [DESTDIR= PREFIX=/usr/local]'
	@echo 'make uninstall      remove what that installed'
	@echo 'make deb            build $(BUILD)/tally_$(VERSION)_ARCH.deb for this Debian'
	@echo '                    [MAINTAINER="NAME <ADDRESS>"]'
	@echo 'make pictures       make the pictures in README.md again'
	@echo 'make catalogs       add new sentences to the translations in templates/po/'
	@echo 'make format         clang-format every C file'
	@echo 'make clean          remove build/'

$(BUILD)/tally: $(MAIN) $(OBJECTS) $(BUILD)/linked | compiled-catalogs
	$(call quiet,LINK $(@F))$(LINK) -o $@ $(filter %.o,$^) $(LIBS)

$(BUILD)/obj/%.o: src/%.c $(BUILD)/compiled
	@mkdir -p $(@D)
	$(call quiet,CC $*.c)$(COMPILE) -MMD -MP -c -o $@ $<

# Translations. libc looks for those of a program's languages below LC_MESSAGES; see
# views/language.c for why a language is a file there, and not a folder.
compiled-catalogs: $(CATALOGS)
$(LOCALE)/%.mo: templates/po/%.po $(BUILD)/sentences | $(LOCALE)/SYS_LC_MESSAGES
	@mkdir -p $(@D)
	@$(BUILD)/sentences --check $<
	$(call quiet,MSGFMT $*)msgfmt --check --output-file=$@ $<

# The locale that translates: libc's C.UTF-8 by another name (views/language.c).
$(LOCALE)/SYS_LC_MESSAGES: /usr/lib/locale/C.utf8/LC_MESSAGES/SYS_LC_MESSAGES
	@mkdir -p $(@D)
	$(call quiet,CP $(@F))install -m 644 $< $@

$(BUILD)/sentences: src/tools/sentences.c $(addprefix $(BUILD)/obj/, \
    mustache/sentences.o base/arena.o base/buffer.o base/clock.o base/file.o base/log.o \
    base/text.o)
	$(call quiet,LINK $(@F))$(COMPILE) -o $@ $^ $(LDFLAGS)

$(BUILD)/tally.pot: $(BUILD)/sentences $(wildcard templates/*.mustache src/*/*.c)
	@$(BUILD)/sentences $(filter-out %/robots.mustache %/sitemap.mustache, \
	    $(wildcard templates/*.mustache)) >$@.templates
	@xgettext --from-code=UTF-8 --language=C --keyword --keyword=TR --keyword=TR_INIT \
	    --keyword=TR_IN_INIT:1c,2 --keyword=TR_PLURAL:1,2 --keyword=FORMS:1,2 --no-wrap \
	    --output=$@.code src/views/*.c src/pages/*.c src/lists/*.c
	@msguniq --no-wrap $@.templates -o $@.unique
	@msgcat --no-wrap --use-first -o $@ $@.unique $@.code

catalogs: $(BUILD)/tally.pot
	@for po in templates/po/*.po; do \
	    msgmerge --quiet --update --backup=none --no-wrap --no-fuzzy-matching \
	        --add-location=file $$po $< && \
	    msgattrib --no-obsolete --no-wrap --add-location=file -o $$po $$po || exit 1; done

$(BUILD)/tally.a: $(OBJECTS) $(BUILD)/linked
$(BUILD)/tests/support.a: $(SUPPORT) $(BUILD)/linked
$(ARCHIVES):
	@mkdir -p $(@D) && rm -f $@
	$(call quiet,AR $(@F))ar rcs $@ $(filter %.o,$^)

# Files whose time changes when their text does: how everything is compiled, so that
# other flags compile everything again; what it is linked from and with, so that no
# object of a deleted source stays; and the version. Warnings change no object.
$(BUILD)/compiled: export TEXT = $(CC) $(CODE)
$(BUILD)/linked: export TEXT = $(LINK) $(LIBS) $(SOURCES) $(SUPPORT) $(FUNCTIONS) \
    $(VIEW_STRUCTS)
$(BUILD)/generated/version.h: export TEXT = \#define TALLY_VERSION "$(VERSION)"
$(BUILD)/compiled $(BUILD)/linked $(BUILD)/generated/version.h: FORCE
	@mkdir -p $(@D)
	@echo "$$TEXT" | $(UPDATE)
$(MAIN) $(BUILD)/obj/server/metrics.o: $(BUILD)/generated/version.h

# How each file is compiled, for editors and clang tools.
compile_commands.json: $(BUILD)/compiled $(BUILD)/linked
	@src/tools/compile_commands '$(COMPILE)' $(SOURCES) $(wildcard tests/*/*.c) >$@

# The Redis functions as one C string, with the macro KEY_ROWS where it is named. Line N is line
# N of the library, as Redis counts in its errors. Files whose functions others call come first.
FIRST     = keys post points article mod_action flag layout_4 comment check member_sets \
            follows hidden inbox saved recovery refresh remove settings vote
FUNCTIONS = $(FIRST:%=src/store/functions/%.lua) \
            $(filter-out $(FIRST:%=src/store/functions/%.lua), \
              $(sort $(wildcard src/store/functions/*.lua)))
$(BUILD)/generated/functions.inc: $(FUNCTIONS) $(BUILD)/linked
	@mkdir -p $(@D)
	$(call quiet,GEN $(@F))cat $(FUNCTIONS) | \
	    sed 's/\\/\\\\/g; s/"/\\"/g; s/^/"/; s/$$/\\n"/; s/KEY_ROWS/" & "/' > $@
# The registered names that the program calls: CALL("vote_3").
$(BUILD)/generated/calls.inc: $(SOURCES) $(BUILD)/linked
	@mkdir -p $(@D)
	@grep -oh '"[a-z]\+\(_[a-z]\+\)*_[0-9]\+"' $(SOURCES) | \
	    sort -u | sed 's/.*/CALL(&)/' | $(UPDATE)
$(BUILD)/obj/store/library.o $(BUILD)/tests/obj/store/library_test.o: \
  $(BUILD)/generated/functions.inc $(BUILD)/generated/calls.inc

# The field tables of all models, from their structs.
VIEW_STRUCTS = src/views/templates.h $(filter-out src/views/templates.h, \
                 $(sort $(wildcard src/views/*.h src/lists/*.h)))
$(BUILD)/generated/view_types.inc: src/tools/view_types.awk $(VIEW_STRUCTS) $(BUILD)/linked
	@mkdir -p $(@D)
	@awk -f src/tools/view_types.awk $(VIEW_STRUCTS) >$@.all
	@$(UPDATE) <$@.all
$(BUILD)/obj/views/views.o: $(BUILD)/generated/view_types.inc

# Running it.

run: needs-run
	@$(SUBMAKE) built
	@TALLY_PORT=$(PORT) exec $(BUILD)/tally up --dir $(DIR)

demo: needs-run
	@$(SUBMAKE) built
	@src/tools/demo $(DIR) $(BUILD)/tally
	@TALLY_PORT=$(PORT) exec $(BUILD)/tally up --dir $(DIR)

# On several Redis nodes, which src/tools/cluster starts.
cluster: needs-run
	@$(SUBMAKE) built
	@TALLY_PORT=$(PORT) exec src/tools/cluster $(DIR)-nodes \
	    $(if $(SENTINEL),sentinel,cluster) $(BUILD)/tally up --dir $(DIR)-nodes/site

# Testing it, on Redis or on valkey-server, which Debian 13 has as well.

REDIS = redis-server

$(BUILD)/tests/obj/%.o: tests/%.c $(BUILD)/compiled
	@mkdir -p $(@D)
	$(call quiet,CC tests/$*.c)$(COMPILE) -MMD -MP -c -o $@ $<

$(PROGRAMS): $(BUILD)/tests/%: $(BUILD)/tests/obj/%.o $(ARCHIVES)
	@mkdir -p $(@D)
	$(call quiet,LINK tests/$*)$(LINK) -o $@ $^ -lcmocka $(LIBS)

$(SPEC): $(BUILD)/tests/obj/mustache/mustache_spec.o $(BUILD)/tally.a
	$(call quiet,LINK tests/$(@F))$(LINK) -o $@ $^ $(LIBS)

$(SYSTEMD): $(BUILD)/tests/obj/server/systemd.o
	$(call quiet,LINK tests/$(@F))$(LINK) -o $@ $^

# Preloaded into Redis, so never built with a sanitizer.
$(SHIM): tests/support/clock_shim.c $(BUILD)/compiled
	@mkdir -p $(@D)
	$(call quiet,CC tests/support/$(@F))$(CC) $(LANGUAGE) $(WARNINGS) $(CFLAGS) \
	    -shared -fPIC -o $@ $< -ldl

programs: $(BUILD)/tally $(PROGRAMS) $(SHIM) $(SPEC) $(SYSTEMD)

# Tests by name, as T= takes them: "pages/vote" is tests/pages/vote_test.c, "site/http"
# tests/site/http_test.mjs, "structure" the script tests/structure_test. tests/run starts
# them in this order, several at a time: the slowest first, those with a browser between
# others, which wait more than they compute.
SLOWEST = site/browser site/markup_attacks site/wave site/moderation store/publisher \
          site/language site/attacks site/serve site/nodes archive/check store/pace \
          site/chaos site/relay site/install site/http site/wire fuzz/fuzz
LONG    = store/walk site/chaos_nodes site/relay_nodes site/move_nodes site/orders_nodes \
          site/next
FOUND  := $(sort $(patsubst tests/%_test,%,$(basename $(wildcard tests/*_test \
            tests/*/*_test tests/*/*_test.c tests/*/*_test.mjs))))
TESTS  := $(SLOWEST) $(filter-out $(SLOWEST) $(if $(SAN),binary),$(FOUND))

# The tests that words of T= name: one, or a folder's.
named = $(foreach t,$1,$(or $(filter $(t:%/=%) $(t:%/=%)/%,$(TESTS)), \
          $(error There is no test "$(t)". T= takes a folder of tests/ (store), \
          or a file without _test (pages/vote, site/http))))
# What tests/run starts for a test, and what has to be built before.
started   = $(foreach t,$1,$(or $(wildcard tests/$(t)_test tests/$(t)_test.mjs), \
              $(BUILD)/tests/$(t)_test))
built_for = $(filter $(BUILD)/%,$(call started,$1)) $(BUILD)/tally $(SHIM) \
            $(if $(filter site/%,$1),$(SYSTEMD) browser) \
            $(if $(filter site/next,$1),$(NEXT)) \
            $(if $(filter site/language,$1),$(BUILD)/tally.pot) \
            $(if $(filter mustache/spec,$1),$(SPEC)) $(if $(filter fuzz/%,$1),fuzzers)
needs_of  = $(if $(filter site/% fuzz/%,$1),$(NEEDS_TEST),$(NEEDS_CHECK))

# Tests with a browser, which run in Firefox, too; site/journey reads Chromium's accessibility
# tree.
FIREFOX = $(filter-out site/journey,$(filter $(patsubst tests/%_test.mjs,%, \
            $(shell grep -l startBrowser tests/site/*_test.mjs)),$(TESTS)))

test:      CHOSEN = $(if $(T),$(call named,$(T)),$(filter-out $(LONG),$(TESTS)))
test-long: CHOSEN = $(LONG)
test-firefox: CHOSEN = $(FIREFOX)
test-firefox: export TEST_BROWSER = firefox
check:     CHOSEN = $(filter-out site/% fuzz/% $(LONG),$(TESTS))
test test-long test-firefox check:
	@src/tools/install_missing $(call needs_of,$(CHOSEN))
	@$(SUBMAKE) $(call built_for,$(CHOSEN))
	@BUILD=$(BUILD) REDIS=$(REDIS) tests/run $(call started,$(CHOSEN))

# A made-up next release, of another layout.
NEXT = $(BUILD)/next/tally
$(NEXT): $(BUILD)/tally $(wildcard tests/next/*)
	+@tests/next/build $(abspath $(@D))

# For a release: what takes too long for every change, or needs root.
release-check: needs-release
	@for po in $(TRANSLATIONS); do test -z "$$(msgattrib --untranslated $$po)" || \
	    { echo "$$po is not complete" >&2; exit 1; }; done
	src/tools/bare_debian bookworm
	src/tools/bare_debian trixie
	src/tools/try_package bookworm
	src/tools/try_package trixie
	src/tools/try_package trixie valkey-server
	$(MAKE) test-firefox
	ALL_PAGES=1 $(MAKE) test T=site/language
	@$(SUBMAKE) $(BUILD)/tally browser
	BUILD=$(BUILD) node $(BUILD)/site/screenshots.mjs $(BUILD)/screenshots
	$(MAKE) bench
	$(MAKE) chaos SECONDS=300
	$(MAKE) chaos SECONDS=300 CLUSTER=1
	$(MAKE) chaos SECONDS=300 SENTINEL=1

# The npm packages are installed outside of the tree, and the scripts that import them
# copied there.
browser: $(BUILD)/site/node_modules/.complete
	@rm -f $(BUILD)/site/*.mjs && cp tests/site/*.mjs src/tools/*.mjs $(BUILD)/site/
$(BUILD)/site/node_modules/.complete: tests/site/package.json tests/site/package-lock.json
	@mkdir -p $(BUILD)/site
	@cp tests/site/package*.json tests/site/.npmrc $(BUILD)/site/
	@echo 'Installing the npm packages of tests/site/package.json into $(BUILD)/site'
	@cd $(BUILD)/site && npm ci --no-audit --no-fund --silent
	@touch $@

# The pictures in README.md, reduced to 64 colours, which makes them a third as large.
pictures: needs-pictures
	@$(SUBMAKE) $(BUILD)/tally browser
	@BUILD=$(BUILD) node $(BUILD)/site/screenshots.mjs $(BUILD)/front.png \
	    $(BUILD)/front-dark.png
	@for name in front front-dark; do \
	    pngquant --force --strip --speed 1 --output src/tools/$$name.png \
	        64 $(BUILD)/$$name.png; \
	done

# At least one round of every kind of fault; SEED repeats their order.

SECONDS = 60

chaos: needs-chaos
	@$(SUBMAKE) $(BUILD)/tally $(SHIM)
	@BUILD=$(BUILD) $(if $(BUCKETS),BUCKETS=$(BUCKETS)) \
	    $(if $(CLUSTER),NODES=cluster)$(if $(SENTINEL),NODES=sentinel) \
	    node tests/site/chaos.mjs $(SECONDS) $(SEED)

# Fuzzing it: one program for each target, all in a build folder of their own.

FUZZ_SANITIZE = -fsanitize=fuzzer-no-link,address,undefined \
                -fno-sanitize-recover=undefined -fno-omit-frame-pointer
FUZZERS = $(patsubst tests/fuzz/%.c,$(BUILD)/%,$(sort $(wildcard tests/fuzz/*.c)))

$(FUZZERS): $(BUILD)/%: $(BUILD)/tests/obj/fuzz/%.o $(BUILD)/tally.a
	$(call quiet,LINK fuzz/$*)$(LINK) -fsanitize=fuzzer -o $@ $^ $(LIBS)

fuzz-programs: $(FUZZERS)

fuzzers:
	+@$(SUBMAKE) BUILD=build/fuzz CC=clang \
	    WARNINGS='-Wall -Wextra' SANITIZE='$(FUZZ_SANITIZE)' fuzz-programs

fuzz: needs-fuzz
	@$(SUBMAKE) fuzzers
	@tests/fuzz/fuzz_test $(SECONDS)

# Measuring it: QUICK=1 takes five minutes in place of twenty, JSON=FILE writes the
# figures as an object as well, RECORD=1 records them for later runs to compare with.

BENCH          = $(addprefix $(BUILD)/bench/,floor baseline data search)
CALLGRIND_DUMP = $(BUILD)/bench/callgrind_dump.so
BENCH_PARTS    = $(patsubst %,$(BUILD)/tests/obj/bench/%.o, \
                server sample tally_layout writeups_layout)

$(BENCH): $(BUILD)/bench/%: $(BUILD)/tests/obj/bench/%.o $(BENCH_PARTS) $(BUILD)/tally.a
	@mkdir -p $(@D)
	$(call quiet,LINK bench/$*)$(LINK) -o $@ $^ $(LIBS)

# Needs valgrind's header, which only measuring does.
$(CALLGRIND_DUMP): tests/bench/callgrind_dump.c $(BUILD)/compiled
	@mkdir -p $(@D)
	$(call quiet,CC tests/bench/$(@F))$(COMPILE) -shared -fPIC -o $@ $<

bench-programs: $(BUILD)/tally $(BENCH)

bench: needs-bench
	@$(SUBMAKE) bench-programs $(CALLGRIND_DUMP)
	@BUILD=$(BUILD) QUICK=$(QUICK) JSON=$(JSON) \
	    RECORD=$(RECORD) PEERS=$(PEERS) node tests/bench/bench.mjs

# Installing it below /usr/local, where Debian expects what its administrator installs;
# a package sets PREFIX=/usr. Existing settings are never overwritten. The files are
# collected in a folder first and listed; `make uninstall` removes what the list names.

PREFIX = /usr/local
DEPLOY = src/deploy
LIST   = $(PREFIX)/share/tally/installed
UNIT_DIR = $(PREFIX)/lib/systemd/system
AT_PREFIX = sed -E 's,/usr/(bin|libexec|share)/tally,$(PREFIX)/\1/tally,g'
# Of the shipped templates, whatever the settings of this machine's service are.
ERROR_PAGES = TALLY_CONFIG=/dev/null TALLY_SHARE=. TALLY_OVERRIDES=. $(BUILD)/tally error-pages

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
	install -d $(STAGE)$(PREFIX)/libexec/tally
	cd $(DEPLOY) && install -m 755 redis-users run-redis backup \
	    $(STAGE)$(PREFIX)/libexec/tally
	install -d $(addprefix $(SHARE)/tally/,templates static nginx) \
	    $(addprefix $(SHARE)/man/man,1 5 7) $(SHARE)/bash-completion/completions \
	    $(STAGE)$(UNIT_DIR) $(LIB)/sysusers.d \
	    $(STAGE)/etc/tally $(STAGE)/etc/nginx/sites-available
	install -m 644 templates/*.mustache $(SHARE)/tally/templates
	install -D -m 644 -t $(SHARE)/tally/$(LOCALE) $(LOCALE)/SYS_LC_MESSAGES $(CATALOGS)
	install -m 644 static/* $(SHARE)/tally/static
	cd nginx && install -m 644 http.conf server.conf up.conf acme.conf \
	    $(SHARE)/tally/nginx
	for file in service.conf service-server.conf; do $(AT_PREFIX) nginx/$$file | \
	    install -m 644 /dev/stdin $(SHARE)/tally/nginx/$$file || exit 1; done
	$(ERROR_PAGES) $(SHARE)/tally/errors
	install -m 644 $(DEPLOY)/redis-network.conf $(SHARE)/tally
	install -m 644 $(DEPLOY)/tally.bash $(SHARE)/bash-completion/completions/tally
	install -m 644 $(DEPLOY)/tally.sysusers $(LIB)/sysusers.d/tally.conf
	cd $(DEPLOY) && install -m 644 tally.conf redis.conf redis-node.conf \
	    $(STAGE)/etc/tally
	for page in tally.1 tally.conf.5 tally.7; do $(AT_PREFIX) $(DEPLOY)/$$page | \
	    sed 's/^\.Os.*/.Os Tally $(VERSION)/' | install -m 644 /dev/stdin \
	    $(SHARE)/man/man$${page##*.}/$$page || exit 1; done
	for site in tally tally-https; do $(AT_PREFIX) nginx/$$site.conf | \
	    install -m 644 /dev/stdin $(STAGE)/etc/nginx/sites-available/$$site || \
	    exit 1; done
	for unit in tally.service tally.socket tally-metrics.socket tally-search.socket \
	    tally-redis.service tally-redis@.service tally-backup.service \
	    tally-backup.timer; do \
	    $(AT_PREFIX) $(DEPLOY)/$$unit | \
	    install -m 644 /dev/stdin $(STAGE)$(UNIT_DIR)/$$unit || exit 1; done

# The Debian package, for the release of Debian on which it is built. There are no
# addresses in .invalid: a package for others names a maintainer whom they can reach.
MAINTAINER = Local build <nobody@tally.invalid>

deb: needs-deb
	@src/tools/make_deb $(BUILD) $(VERSION) '$(subst ','\'',$(MAINTAINER))' $(NEEDS_BUILD)

# Style and static analysis.

# Versions of clang-format break lines differently; both Debians have this one.
CLANG_FORMAT = clang-format-19

# The table of routes has one row a line, however long.
C_FILES = $(filter-out src/pages/routes.h, \
            $(sort $(wildcard src/*/*.[ch] tests/*/*.[ch])))

lint: needs-lint $(BUILD)/sentences
	@echo '  FORMAT src tests' && $(CLANG_FORMAT) --dry-run -Werror $(C_FILES)
	@$(SUBMAKE) BUILD=build/lint WARNINGS='$(WARNINGS) -Werror' programs bench-programs
	@echo '  MSGFMT templates/po' && $(BUILD)/sentences --check templates/po/*.po && \
	    for po in templates/po/*.po; do msgfmt --check -o /dev/null $$po || exit 1; done
	@echo '  LUACHECK src' && luacheck --quiet --no-config --std lua51 \
	    --globals tally --read-globals import redis struct -- src/store/functions
	@echo '  TIDY src' && printf '%s\n' $(SOURCES) $(wildcard src/tools/*.c) | xargs -n 16 -P $(shell nproc) \
	    src/tools/tidy -Ibuild/lint/generated $(LANGUAGE) --
	@echo '  CPPCHECK src' && cppcheck --quiet -j $(shell nproc) \
	    --std=c11 --language=c --error-exitcode=1 \
	    --enable=warning,portability,performance --inline-suppr \
	    --suppress=missingIncludeSystem --suppress=normalCheckLevelMaxBranches \
	    -D__GNUC__ '-D_Noreturn=__attribute__((noreturn))' \
	    -Isrc -Ibuild/lint/generated src

format:
	$(CLANG_FORMAT) -i $(C_FILES)

clean:
	rm -rf build compile_commands.json

# Debian packages, by name, or as "command:package" where several packages have the
# command.

NEEDS_BUILD = gcc gettext libc6-dev libfcgi-dev libhiredis-dev libssl-dev libsodium-dev \
              libjansson-dev libutf8proc-dev liburiparser-dev \
              libcmark-dev libidn2-dev libpsl-dev libzxcvbn-dev liboath-dev \
              libqrencode-dev nettle-dev \
              libseccomp-dev libsystemd-dev libsqlite3-dev zlib1g-dev
NEEDS_RUN   = $(NEEDS_BUILD) nginx:nginx-light $(REDIS):$(REDIS) \
              awk:mawk
NEEDS_CHECK = $(NEEDS_RUN) libcmocka-dev readelf:binutils
NEEDS_FUZZ  = $(NEEDS_BUILD) clang:clang libclang-rt-dev
NEEDS_TEST  = $(NEEDS_CHECK) $(NEEDS_FUZZ) node:nodejs npm:npm \
              chromium:chromium firefox-esr ca-certificates mount:mount openssl:openssl \
              mandoc:mandoc systemd-analyze:systemd wrk:wrk \
              tmux:tmux w3m:w3m lynx:lynx patch:patch newsboat:newsboat \
              xmllint:libxml2-utils python3-feedparser
NEEDS_PICTURES = $(NEEDS_TEST) pngquant:pngquant
NEEDS_CHAOS = $(NEEDS_RUN) node:nodejs mount:mount
NEEDS_BENCH = $(NEEDS_RUN) wrk:wrk node:nodejs redis-cli:redis-tools \
              valgrind:valgrind strace:strace \
              $(if $(filter 1,$(PEERS)),php-fpm php-redis)
NEEDS_LINT  = $(NEEDS_CHECK) clang-tidy:clang-tidy cppcheck:cppcheck \
              luacheck:lua-check \
              $(CLANG_FORMAT):$(CLANG_FORMAT)

NEEDS_DEB = $(NEEDS_BUILD) debhelper

NEEDS_RELEASE = $(NEEDS_TEST) $(NEEDS_BENCH) debootstrap:debootstrap git:git \
                systemd-nspawn:systemd-container

# Says which are missing, and installs them.
deps:
	@src/tools/install_missing $(sort $(NEEDS_TEST) $(NEEDS_LINT))
	@$(SUBMAKE) browser

needs-build:   NEEDS = $(NEEDS_BUILD)
needs-run:     NEEDS = $(NEEDS_RUN)
needs-pictures: NEEDS = $(NEEDS_PICTURES)
needs-chaos:   NEEDS = $(NEEDS_CHAOS)
needs-fuzz:    NEEDS = $(NEEDS_FUZZ)
needs-bench:   NEEDS = $(NEEDS_BENCH)
needs-lint:    NEEDS = $(NEEDS_LINT)
needs-deb:     NEEDS = $(NEEDS_DEB)
needs-release: NEEDS = $(NEEDS_RELEASE)
needs-build needs-run needs-pictures needs-chaos needs-fuzz needs-bench needs-lint \
  needs-deb needs-release:
	@src/tools/install_missing $(NEEDS)

.PHONY: FORCE all built catalogs compiled-catalogs help run demo cluster programs test test-long test-firefox check release-check \
        browser pictures chaos fuzz fuzzers fuzz-programs bench bench-programs install \
        uninstall stage deb lint format clean deps needs-build needs-run needs-picture \
        needs-chaos needs-fuzz needs-bench needs-lint needs-deb needs-release

-include $(wildcard $(BUILD)/obj/*/*.d $(BUILD)/tests/obj/*/*.d)
