/*
 * A dump is what each noun writes, in the order of their rows: members and groups, which
 * others name, come first.
 *
 *	members_archive_write --+
 *	articles_archive_write -+--> writer_record --> members_archive_need
 *	...                     |          |
 *	                        |          +--> record_write --> a line
 *	                        +--> writer_leave_out: reported
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
