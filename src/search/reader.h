/*
 * A reader of the index: answers workers over a unix socket in Redis's protocol (search/resp.h),
 * one request at a time.
 *
 *	SEARCH QUERY ORDER OFFSET COUNT MILLISECONDS [NAME VALUE]...
 *		1) "exact", "more" or "late"  2) the number of hits  3) "4711" "4712:3" ...
 *	STATE	names and values: rows, building, behind_ms, bytes
 *	BUILD	"OK": the index will be built again
 *	PING	"PONG"
 *
 * ORDER is one of query_orders, MILLISECONDS processor time, NAME and VALUE what a name stands
 * for (struct query_name). building is a percentage, or -1 while it is not built; behind_ms is -1
 * when it never was. Errors: INDEX when there is no index that can be read, BUSY when
 * more than READER_WAITING_MAX requests wait, ERR for what is not understood.
 *
 * Who may connect is decided by the rights of the socket. Queries are never logged.
 */
#pragma once

#include "base/text.h"
#include "search/state.h"

enum { READER_WAITING_MAX = 64, READER_CLIENTS_MAX = 256 };

/* Serves until the process ends. The index is that of writer.h in the folder. */
_Noreturn void reader_run(struct search_state *state, const char *folder,
    struct text site, int listener);
