/*
 * A dump is what each noun writes, in the order of their rows: members and groups, which
 * others name, come first.
 *
 *	*_archive_write --> members_archive_write_naming --> writer_record --> a line
 *	       |                      |                           |
 *	       |                      +--> members whom it names  |
 *	       +----------------------+---------------------------+--> writer_leave_out
 */
#include "archive/dump.h"

#include <errno.h>
#include <string.h>

#include "archive/noun.h"
#include "archive/writer.h"
#include "base/log.h"

static enum store_result
write_nouns(struct writer *writer)
{
	enum store_result result = STORE_OK;

	for (enum record_kind i = 0; i < RECORD_KINDS && result == STORE_OK;
	    i++)
		result = nouns[i]->write(writer);
	if (result == STORE_OK && fflush(writer->out) != 0) {
		log_line("cannot write the dump: %s", strerror(errno));
		return STORE_DOWN;
	}
	return result;
}

int
dump_command(struct store *store, FILE *out)
{
	struct writer writer;
	enum store_result result;
	bool is_whole;

	writer_open(&writer, store, out);
	result = write_nouns(&writer);
	if (result != STORE_OK)
		log_line("the dump stopped before its end");
	is_whole = result == STORE_OK && !writer.incomplete;
	writer_close(&writer);
	return is_whole ? 0 : 1;
}
