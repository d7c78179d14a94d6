#include "store/refresh.h"

#include "base/arena.h"
#include "redis/redis.h"
#include "store/function_call.h"
#include "store/group.h"
#include "store/inbox.h"
#include "store/keys.h"
#include "store/recovery.h"

enum { MAX_TIMES = 5 }; /* of a record that changes meanwhile */

void
refresh_send_post(
    struct pipeline *pipeline, const struct store *store, struct post_id id)
{
	call_send_write(pipeline, "refresh_post_1",
	    key_post(pipeline->arena, &store->buckets, id),
	    text_number(pipeline->arena, store->rules.vote_score));
}

void
refresh_send_mod_action(
    struct pipeline *pipeline, const struct store *store, uint64_t action)
{
	call_send_write(pipeline, "refresh_act_1",
	    key_mod_action(pipeline->arena, &store->buckets, action));
}

void
refresh_send_inbox(struct pipeline *pipeline, uint64_t user)
{
	call_send_write(pipeline, "refresh_member_1",
	    key_user(pipeline->arena, user),
	    text_number(pipeline->arena, INBOX_MAX),
	    text_number(pipeline->arena, RECOVERY_CODES));
}

void
refresh_send_member(struct pipeline *pipeline, const struct user *user)
{
	refresh_send_inbox(pipeline, user->id);
	user_send_role(pipeline, user->id, user->role);
}

void
refresh_send_claim(struct pipeline *pipeline, const struct store *store,
    const struct article *article)
{
	struct arena *arena = pipeline->arena;
	struct text link = article->url, claim;

	if (link.size > 0 && rule_link(arena, &link).kind != PROBLEM_NONE)
		return;
	claim = rule_claim(arena, article->post.author.id, article->title, link,
	    article->text);
	call_send_write(pipeline, "claim_1",
	    key_claims(arena, &store->buckets, claim), key_claim_field(claim),
	    text_number(arena, (int64_t)article->post.id.article),
	    text_number(arena, article->post.closes));
}

static enum store_result
write_member(struct store *store, struct arena *arena, const struct user *user)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	refresh_send_member(&pipeline, user);
	return store_run(&pipeline);
}

STORE_CALL
refresh_member(struct store *store, struct arena *arena, uint64_t id)
{
	struct user user, again;
	enum store_result result = user_get(store, arena, id, &user);

	for (int i = 0; i < MAX_TIMES && result == STORE_OK; i++) {
		result = write_member(store, arena, &user);
		if (result == STORE_OK)
			result = user_get(store, arena, id, &again);
		if (result == STORE_OK && again.role == user.role)
			break;
		user = again;
	}
	return result;
}

STORE_CALL
refresh_name(struct store *store, struct arena *arena, uint64_t id)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct user user;
	enum store_result result = user_get(store, arena, id, &user);

	if (result != STORE_OK)
		return result;
	user_send_claim(&pipeline, &user);
	return store_run(&pipeline);
}

/* Where a group belongs: in the list of groups, of former ones, or, while it is deleted, where
 * it is; and in neither if there is none. */
static enum store_result
write_group(struct store *store, struct arena *arena, struct text name,
    const struct group *group)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	const struct text lists[] = { KEY_GROUPS, KEY_FORMER };

	for (size_t i = 0; i < 2; i++)
		if (group != NULL && (group->into.size > 0) == (i == 1))
			pipeline_add_replicated(
			    &pipeline, TEXT("ZADD"), lists[i], TEXT("0"), name);
		else
			pipeline_add_replicated(
			    &pipeline, TEXT("ZREM"), lists[i], name);
	return store_run(&pipeline);
}

STORE_CALL
refresh_group(struct store *store, struct arena *arena, struct text name)
{
	struct group group, again;
	enum store_result result = group_get(store, arena, name, &group);
	enum store_result before;

	for (int i = 0; i < MAX_TIMES && result != STORE_DOWN; i++) {
		before = result;
		if (result == STORE_OK &&
		    (group.closed == GROUP_DELETING || group.title.size == 0))
			break;
		if (write_group(store, arena, name,
			result == STORE_OK ? &group : NULL) != STORE_OK)
			return STORE_DOWN;
		result = group_get(store, arena, name, &again);
		if (result == before &&
		    (result != STORE_OK ||
			(text_equal(group.into, again.into) &&
			    group.closed == again.closed)))
			break;
		group = again;
	}
	return result;
}
