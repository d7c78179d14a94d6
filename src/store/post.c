#include "store/post.h"

#include "redis/redis.h"

const struct text vote_words[] = {
	[VOTE_NONE] = TEXT_INIT("none"),
	[VOTE_UP] = TEXT_INIT("up"),
	[VOTE_DOWN] = TEXT_INIT("down"),
};

bool
vote_parse(struct text word, enum vote *vote)
{
	size_t index;

	if (!text_index(word, vote_words, 3, &index))
		return false;
	*vote = (enum vote)index;
	return true;
}

bool
post_is_open(const struct post *post, int64_t now)
{
	return now < post->closes && post->removed == 0;
}

void
post_ask_vote(struct pipeline *pipeline, const struct store *store,
    struct post_id id, uint64_t user)
{
	struct arena *arena = pipeline->arena;

	pipeline_add(pipeline, TEXT("SMISMEMBER"),
	    key_voters(arena, &store->buckets, id),
	    text_number(arena, (int64_t)user),
	    text_number(arena, -(int64_t)user));
}

enum vote
post_read_vote(const struct reply *reply)
{
	if (reply_number(reply_item(reply, 0)) == 1)
		return VOTE_UP;
	return reply_number(reply_item(reply, 1)) == 1 ? VOTE_DOWN : VOTE_NONE;
}

static struct call
call_on(const struct store *store, struct arena *arena, const char *function,
    struct post_id id)
{
	return call_begin(
	    arena, CALL_WRITES, function, key_post(arena, &store->buckets, id));
}

bool
post_is_withdrawn(const struct post *post)
{
	return post->removed != 0 && post->removed_by.id == post->author.id;
}

bool
post_is_waiting(const struct post *post)
{
	return post->held != 0 && post->held == post->removed;
}

/* The function that posts it writes the moment. */
void
post_hold(struct post *post)
{
	post->held = post->removed = 1;
}

/* A member's number in the set of voters once the vote is voided. */
static struct text
voided(struct arena *arena, uint64_t user)
{
	return text_number(arena, KEY_VOID_OFFSET + (int64_t)user);
}

size_t
post_send_vote(struct pipeline *pipeline, const struct store *store,
    struct post_id id, uint64_t user, enum voter_kind voter, enum vote wanted)
{
	struct arena *arena = pipeline->arena;

	return call_send_write(pipeline, "vote_3",
	    key_post(arena, &store->buckets, id),
	    text_number(arena, (int64_t)user), vote_words[wanted],
	    text_number(arena, store->rules.vote_score),
	    text_number(arena, rule_interesting_threshold(&store->rules)),
	    voided(arena, user), text_number(arena, voter == VOTER_SETTLED));
}

/* Adds the first arguments of the functions that void. */
static void
add_voiding(struct call *call, const struct store *store, uint64_t user,
    enum voiding wanted)
{
	static const struct text words[] = {
		[VOIDING_VOID] = TEXT_INIT("void"),
		[VOIDING_COUNT] = TEXT_INIT("count"),
	};

	call_add_number(call, (int64_t)user);
	call_add(call, voided(call->arena, user), words[wanted]);
	call_add_number(call, store->rules.vote_score);
	call_add_number(call, rule_interesting_threshold(&store->rules));
}

STORE_CALL
post_void(struct store *store, struct arena *arena, struct post_id id,
    uint64_t user, enum voiding wanted, const struct mod_action *action)
{
	struct call call = call_on(store, arena, "void_1", id);

	add_voiding(&call, store, user, wanted);
	return mod_action_run(&call, store, action);
}

STORE_CALL
post_void_for(struct store *store, struct arena *arena, struct post_id id,
    const struct vote_act *act)
{
	struct call call = call_on(store, arena,
	    act->undoes ? "uncontain_vote_1" : "contain_vote_1", id);

	add_voiding(&call, store, act->member.id, act->wanted);
	call_add_number(&call, (int64_t)act->act);
	call_add_number(&call, act->seconds);
	return call_run(&call, store, NULL);
}

STORE_CALL
post_remove(struct store *store, struct arena *arena, struct post_id id,
    const struct mod_action *action)
{
	struct call call = call_on(store, arena, "remove_3", id);

	return mod_action_run(&call, store, action);
}

STORE_CALL
post_withdraw(
    struct store *store, struct arena *arena, struct post_id id, uint64_t user)
{
	return call_write(store, arena, "withdraw_1",
	    key_post(arena, &store->buckets, id),
	    text_number(arena, (int64_t)user));
}

STORE_CALL
post_delete(
    struct store *store, struct arena *arena, struct post_id id, uint64_t user)
{
	return call_write(store, arena, "delete_1",
	    key_post(arena, &store->buckets, id),
	    text_number(arena, (int64_t)user));
}

STORE_CALL
post_restore(struct store *store, struct arena *arena, struct post_id id,
    struct text groups, const struct mod_action *action)
{
	struct call call = call_on(store, arena, "restore_3", id);

	call_add_number(&call, store->rules.vote_score);
	call_add(&call, groups);
	return mod_action_run(&call, store, action);
}

STORE_CALL
post_release(struct store *store, struct arena *arena, struct post_id id,
    struct text groups, struct text named, const struct mod_action *action)
{
	const struct rules *rules = &store->rules;
	struct call call = call_on(store, arena, "release_1", id);

	call_add_number(&call, rules->vote_score);
	call_add_number(&call, rules->vote_window);
	call_add_number(&call, rule_interesting_threshold(rules));
	call_add(&call, groups, named);
	return mod_action_run(&call, store, action);
}
