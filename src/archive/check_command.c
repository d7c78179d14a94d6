#include "archive/check_command.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "archive/check.h"
#include "base/log.h"

/* What Redis holds may be damaged in any way: no control character goes out. */
static void
print_break(void *data, struct text what)
{
	FILE *out = data;

	for (size_t i = 0; i < what.size; i++) {
		unsigned char c = (unsigned char)what.data[i];

		putc(c < ' ' || c == 0x7f ? '?' : c, out);
	}
	putc('\n', out);
}

static void
print_counts(FILE *out, const struct check_counts *counts)
{
	fprintf(out,
	    "%" PRIu64 " articles: %" PRIu64 " removed, %" PRIu64
	    " interesting, %" PRIu64 " with a record of who voted\n",
	    counts->articles, counts->removed, counts->interesting,
	    counts->voters_known);
	fprintf(out, "%" PRIu64 " votes: %" PRIu64 " up, %" PRIu64 " down\n",
	    counts->up + counts->down, counts->up, counts->down);
	fprintf(out,
	    "%" PRIu64 " members, %" PRIu64 " groups, %" PRIu64 " karmas\n",
	    counts->members, counts->groups, counts->karmas);
	fprintf(out, "%" PRIu64 " lists with %" PRIu64 " entries\n",
	    counts->lists, counts->entries);
	fprintf(out, "%" PRIu64 " breaks\n", counts->breaks);
}

int
check_command(struct store *store, FILE *out)
{
	struct check_reporter reporter = { print_break, out };
	struct check_counts counts;

	if (check_site(store, &reporter, &counts) != STORE_OK) {
		log_line("the check stopped before its end");
		return 1;
	}
	print_counts(out, &counts);
	if (fflush(out) != 0 || ferror(out)) {
		log_line(
		    "what was checked cannot be written: %s", strerror(errno));
		return 1;
	}
	return counts.breaks == 0 ? 0 : 1;
}
