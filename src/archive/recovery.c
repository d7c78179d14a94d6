#include "archive/recovery.h"

#include <inttypes.h>

#include "archive/check_keys.h"
#include "base/arena.h"
#include "store/recovery.h"
#include "store/refresh.h"

enum { MEMBERS_CHECKED = 50 }; /* at once */

static void
ask_recovery(struct check *check, struct pipeline *pipeline,
    const struct check_cursor *cursor)
{
	(void)check;
	recovery_check(pipeline, cursor->id);
}

static bool
take_recovery(
    struct check *check, struct check_cursor *cursor, const struct reply *reply)
{
	check_report_all(check,
	    text_format(
		&check->step, "recovery of member %" PRIu64, cursor->id),
	    reply, 0);
	if (reply->count > 0 && check_repairs(check) != NULL)
		refresh_send_inbox(check_repairs(check), cursor->id);
	return false;
}

STORE_CALL
recovery_archive_check(struct check *check)
{
	static const struct check_scan members = { MEMBERS_CHECKED,
		check_start_member, ask_recovery, take_recovery };

	return check_scan_all(check, &members);
}
