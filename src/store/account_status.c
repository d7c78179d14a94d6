#include "store/account_status.h"

#include "store/site.h"

static enum store_result
log_action(struct store *store, struct arena *arena, const struct user *user,
    enum mod_action_kind what, struct mod_action *action)
{
	action->what = mod_action_words[what];
	action->member = (struct member){ user->id, user->name };
	return mod_action_note(store, arena, action);
}

static enum store_result
set_suspension(struct store *store, struct arena *arena,
    const struct user *user, int64_t until, struct text reason)
{
	return call_write(store, arena, "suspend_1", key_user(arena, user->id),
	    text_number(arena, until), reason);
}

STORE_CALL
account_suspend(struct store *store, struct arena *arena,
    const struct user *user, int64_t until, struct mod_action action)
{
	enum store_result result;

	if (until != USER_SUSPENDED_FOREVER)
		action.until = until;
	result = log_action(store, arena, user, MOD_SUSPENDED, &action);
	return result == STORE_OK
	    ? set_suspension(store, arena, user, until, action.reason)
	    : result;
}

STORE_CALL
account_readmit(struct store *store, struct arena *arena,
    const struct user *user, struct mod_action action)
{
	enum store_result result =
	    log_action(store, arena, user, MOD_READMITTED, &action);

	return result == STORE_OK
	    ? set_suspension(store, arena, user, 0, TEXT(""))
	    : result;
}

STORE_CALL
account_vouch(struct store *store, struct arena *arena, const struct user *user,
    struct mod_action action)
{
	enum store_result result =
	    log_action(store, arena, user, MOD_VOUCHED, &action);
	int64_t now;

	if (result == STORE_OK)
		result = site_time(store, arena, &now);
	return result == STORE_OK
	    ? store_write(store, arena, TEXT("HSET"), key_user(arena, user->id),
		  TEXT("trusted"), text_number(arena, now))
	    : result;
}

STORE_CALL
account_empty_about(struct store *store, struct arena *arena,
    const struct user *user, struct mod_action action)
{
	enum store_result result =
	    log_action(store, arena, user, MOD_ABOUT_EMPTIED, &action);

	return result == STORE_OK
	    ? user_set_about(store, arena, user->id, TEXT(""))
	    : result;
}

STORE_CALL
account_appoint(struct store *store, struct arena *arena,
    const struct user *user, enum role role, struct mod_action action)
{
	enum store_result result;

	action.subject = role_words[role];
	result = log_action(store, arena, user, MOD_APPOINTED, &action);
	return result == STORE_OK ? user_set_role(store, arena, user->id, role)
				  : result;
}

STORE_CALL
account_make_link(struct store *store, struct arena *arena,
    const struct user *user, enum one_time_link_factor factor,
    struct mod_action action, struct text *code)
{
	struct text made;
	enum store_result result =
	    one_time_link_make_recovery(store, arena, user->id, factor, &made);

	if (result == STORE_OK)
		result =
		    log_action(store, arena, user, MOD_RECOVERY_LINK, &action);
	if (result == STORE_OK)
		*code = made;
	return result;
}

/* The claim is ended only after the role is written, which from then on decides. */
STORE_CALL
account_become_owner(struct store *store, struct arena *arena,
    const struct user *user, const struct one_time_link *link,
    struct mod_action action)
{
	enum store_result result =
	    user_claim_owner(store, arena, user->id, link->digest);

	if (result == STORE_OK)
		result =
		    account_appoint(store, arena, user, ROLE_OWNER, action);
	return result == STORE_OK ? user_end_owner_claim(store, arena) : result;
}
