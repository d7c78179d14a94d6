/*
 * A random walk: members post, comment, vote, change groups, flag, edit, delete, withdraw,
 * are notified, read, mute and close accounts; moderators remove, restore, dismiss, void
 * and close threads; and time passes. A model that does not use Redis predicts the result
 * of each step and the final state, and every order of articles. Then the invariants are checked,
 * and a dump is loaded, which must result in the same site.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/commands.h"
#include "../support/invariants.h"
#include "base/sort.h"
#include "lists/list.h"
#include "store/close_account.h"
#include "store/comment.h"
#include "store/group.h"
#include "store/hidden.h"
#include "store/inbox.h"
#include "store/points.h"
#include "store/relay.h"
#include "store/user.h"

enum {
	STEPS = 8500,
	MEMBERS = 24,
	ARTICLES = 400,
	COMMENTS = 900, /* no more than the newest of a bucket */
	GROUPS = 20,
	WINDOW = 5000,
	THREAD_WINDOW = 9000,
	INTERESTING = 8,
	REPEATED = 4, /* comments of an author among which one is looked for */
	HEAT_SECONDS = 3600
};

/* A post. */
struct known {
	struct post_id id;
	unsigned author; /* index of a member */
	int64_t posted, removed;
	enum vote votes[MEMBERS];
	bool voided[MEMBERS], withdrawn; /* voided votes do not count */
	bool erased;	    /* its text is gone; a comment's is then empty */
	bool left;	    /* or "(deleted)", with its author's account */
	uint32_t flags;	    /* bits of members */
	uint32_t open;	    /* of those whose flags wait, */
	uint32_t dismissed; /* or waited */
	/* Of an article. */
	int64_t interesting, thread_closed;
	int64_t comments, commented; /* those to be read, and the last */
	uint32_t flaggers;	     /* bits of members, */
	int64_t forgotten;	     /* until then */
	uint32_t groups;	     /* bits */
	/* Of a comment. */
	struct known *article;
	const struct known *parent; /* or NULL */
	unsigned text;
	int64_t edited;
};

/* A comment that notifies a member, unless muted. */
struct telling {
	const struct known *comment;
	unsigned to;
	enum notice_reason why;
	bool waits, is_there; /* in the outbox, or in the inbox */
};

struct listener {
	int64_t told, read;
	bool left;
	uint32_t members;	 /* bits of those who are hidden */
	bool articles[ARTICLES]; /* those that are muted */
};

struct walk {
	struct world *world;
	struct relay *relay;
	struct arena arena; /* of a step */
	unsigned seed;
	uint64_t members[MEMBERS];
	struct known articles[ARTICLES], comments[COMMENTS];
	size_t count, comment_count;
	struct listener listeners[MEMBERS];
	struct telling tellings[COMMENTS * 3];
	size_t telling_count;
	size_t answers[STORE_DOWN + 1];
};

static unsigned
pick(struct walk *walk, unsigned below)
{
	return (unsigned)rand_r(&walk->seed) % below;
}

static int
count_votes(const struct known *known, enum vote vote)
{
	int count = 0;

	for (size_t i = 0; i < MEMBERS; i++)
		count += known->votes[i] == vote && !known->voided[i] ? 1 : 0;
	return count;
}

static int
count_bits(uint32_t bits)
{
	int count = 0;

	for (; bits != 0; bits &= bits - 1)
		count++;
	return count;
}

static uint32_t
pick_groups(struct walk *walk, unsigned max)
{
	uint32_t groups = 0;

	for (unsigned i = pick(walk, max + 1); i > 0; i--)
		groups |= UINT32_C(1) << pick(walk, GROUPS);
	return groups;
}

static struct text
names_of(struct walk *walk, uint32_t groups)
{
	struct text names = TEXT("");

	for (unsigned g = 0; g < GROUPS; g++)
		if ((groups >> g & 1) != 0)
			names = text_format(&walk->arena, "%.*s%sgroup%u",
			    TEXT_ARGS(names), names.size > 0 ? " " : "", g);
	return names;
}

static void
expect(struct walk *walk, enum store_result result, enum store_result expected)
{
	assert_int_equal(result, expected);
	walk->answers[result]++;
}

static int64_t
now_of(struct walk *walk)
{
	return world_now(walk->world);
}

static struct member
member_of(struct walk *walk, unsigned index)
{
	return (struct member){ walk->members[index],
		text_format(&walk->arena, "member%u", index) };
}

static bool
is_comment(const struct known *known)
{
	return known->id.comment != 0;
}

/* Removing it dismisses its flags. */
static void
settle(struct known *known)
{
	known->dismissed |= known->open;
	known->open = 0;
}

static void
take_down(struct walk *walk, struct known *known)
{
	if (is_comment(known) && known->removed == 0)
		known->article->comments--;
	known->removed = now_of(walk);
	settle(known);
}

/* One time in eight a link that was posted before and is still claimed. */
static void
step_post(struct walk *walk)
{
	unsigned author = pick(walk, MEMBERS);
	bool again = walk->count > 0 && pick(walk, 8) == 0;
	size_t number = again ? walk->count - 1 : walk->count;
	struct known *known = &walk->articles[walk->count];
	struct article article = { .title = TEXT("A title"),
		.url =
		    text_format(&walk->arena, "http://a.example/%zu", number),
		.post.author = member_of(walk, author) };

	/* A removed article blocks its link for its author only. */
	if (walk->count == ARTICLES ||
	    (again &&
		(walk->articles[number].posted + WINDOW <= now_of(walk) ||
		    walk->articles[number].removed != 0)))
		return;
	*known = (struct known){ .author = author,
		.posted = now_of(walk),
		.groups = pick_groups(walk, 16) };
	article.groups = names_of(walk, known->groups);
	expect(walk, article_post(&walk->world->store, &walk->arena, &article),
	    again ? STORE_TAKEN : STORE_OK);
	if (again) {
		assert_int_equal(
		    article.post.id.article, walk->articles[number].id.article);
		return;
	}
	known->id = article.post.id;
	known->votes[author] = VOTE_UP;
	walk->count++;
}

static void
note_interesting(struct walk *walk, struct known *known)
{
	if (!is_comment(known) && known->interesting == 0 &&
	    count_votes(known, VOTE_UP) >= INTERESTING)
		known->interesting = now_of(walk);
}

/* Sometimes a member whose vote was voided. */
static unsigned
pick_voter(struct walk *walk, const struct known *known)
{
	unsigned member = pick(walk, MEMBERS);

	if (pick(walk, 4) == 0)
		for (unsigned i = 0; i < MEMBERS; i++)
			if (known->voided[i])
				return i;
	return member;
}

static void
step_vote(struct walk *walk, struct known *known)
{
	unsigned member = pick_voter(walk, known);
	/* Most votes are up, so that articles become interesting. */
	enum vote vote =
	    pick(walk, 2) == 0 ? VOTE_UP : (enum vote)pick(walk, 3);
	enum store_result expected = STORE_OK;

	if (known->removed != 0)
		expected = STORE_REMOVED;
	else if (member == known->author)
		expected = STORE_OWN;
	else if (is_comment(known) && known->article->removed != 0)
		expected = STORE_REMOVED;
	else if (now_of(walk) >= known->posted + WINDOW)
		expected = STORE_CLOSED;
	else if (known->voided[member])
		expected = STORE_VOIDED;
	expect(walk,
	    world_cast(&walk->world->store, &walk->arena, known->id,
		walk->members[member], vote),
	    expected);
	if (expected != STORE_OK)
		return;
	known->votes[member] = vote;
	note_interesting(walk, known);
}

static void
step_file(struct walk *walk, struct known *known)
{
	uint32_t added = pick_groups(walk, 14), removed = pick_groups(walk, 3);
	uint32_t after = (known->groups & ~removed) | added;
	enum store_result expected = STORE_OK;

	if (known->removed != 0)
		expected = STORE_REMOVED;
	else if (count_bits(after) > RULE_GROUPS_MAX)
		expected = STORE_FULL;
	expect(walk,
	    article_set_groups(&walk->world->store, &walk->arena,
		known->id.article, names_of(walk, added),
		names_of(walk, removed)),
	    expected);
	if (expected == STORE_OK)
		known->groups = after;
}

/* A vote is voided, or counted again, as it was. */
static void
step_void(struct walk *walk, struct known *known)
{
	unsigned member = pick(walk, MEMBERS);
	enum voiding wanted = pick(walk, 3) == 0 ? VOIDING_COUNT : VOIDING_VOID;
	struct mod_action action = { .what = mod_action_words[MOD_VOIDED],
		.article = known->id.article,
		.comment = known->id.comment };
	enum store_result expected = STORE_OK;

	if (known->removed != 0)
		expected = STORE_REMOVED;
	else if (member == known->author)
		expected = STORE_OWN;
	else if (now_of(walk) >= known->posted + WINDOW)
		expected = STORE_CLOSED;
	else if (known->votes[member] == VOTE_NONE)
		expected = STORE_ABSENT;
	expect(walk,
	    post_void(&walk->world->store, &walk->arena, known->id,
		walk->members[member], wanted, &action),
	    expected);
	if (expected != STORE_OK)
		return;
	known->voided[member] = wanted == VOIDING_VOID;
	note_interesting(walk, known);
}

/* Each member who flags a post slows its thread down once. */
static void
note_flag(struct walk *walk, struct known *known, uint32_t member, bool is_set)
{
	struct known *article = is_comment(known) ? known->article : known;
	int64_t now = now_of(walk);

	known->flags &= ~member;
	if (is_set)
		known->flags |= member;
	if ((known->dismissed & member) != 0)
		return;
	if (!is_set || (known->open & member) != 0) {
		known->open = is_set ? known->open : known->open & ~member;
		return;
	}
	known->open |= member;
	if (now > article->forgotten)
		article->flaggers = 0;
	if (article->flaggers == 0)
		article->forgotten = now + HEAT_SECONDS;
	article->flaggers |= member;
}

static void
step_flag(struct walk *walk, struct known *known)
{
	unsigned member = pick(walk, MEMBERS);
	enum flag flag = (enum flag)pick(walk, FLAG_FIRST);
	enum store_result expected = STORE_OK;

	if (known->removed != 0)
		expected = STORE_REMOVED;
	else if (member == known->author)
		expected = STORE_OWN;
	expect(walk,
	    flag_set(&walk->world->store, &walk->arena, known->id,
		walk->members[member], flag),
	    expected);
	if (expected == STORE_OK)
		note_flag(
		    walk, known, UINT32_C(1) << member, flag != FLAG_NONE);
}

static void
step_dismiss(struct walk *walk, struct known *known)
{
	const struct mod_action action = { .what =
					       mod_action_words[MOD_DISMISSED],
		.article = known->id.article,
		.comment = known->id.comment };

	expect(walk,
	    flag_dismiss(&walk->world->store, &walk->arena, known->id, &action),
	    known->removed != 0 ? STORE_REMOVED : STORE_OK);
	if (known->removed == 0)
		settle(known);
}

static void
step_withdraw(struct walk *walk, struct known *known)
{
	enum store_result expected = STORE_OK;

	if (known->removed != 0 && !known->withdrawn)
		expected = STORE_REMOVED;
	else if (known->removed == 0 && now_of(walk) >= known->posted + WINDOW)
		expected = STORE_CLOSED;
	expect(walk,
	    post_withdraw(&walk->world->store, &walk->arena, known->id,
		walk->members[known->author]),
	    expected);
	if (expected != STORE_OK || known->removed != 0)
		return;
	take_down(walk, known);
	known->withdrawn = true;
}

static void
step_remove(struct walk *walk, struct known *known)
{
	expect(walk,
	    post_remove(
		&walk->world->store, &walk->arena, known->id, &world_removal),
	    STORE_OK);
	if (known->removed == 0)
		take_down(walk, known);
}

static void
step_restore(struct walk *walk, struct known *known)
{
	struct store *store = &walk->world->store;

	expect(walk,
	    is_comment(known) ? post_restore(store, &walk->arena, known->id,
				    TEXT(""), &world_restoring)
			      : article_restore(store, &walk->arena,
				    known->id.article, &world_restoring),
	    known->withdrawn ? STORE_OWN : STORE_OK);
	if (known->withdrawn || known->removed == 0)
		return;
	known->removed = 0;
	if (is_comment(known))
		known->article->comments++;
}

/* Comments. */

static struct text
text_of_comment(struct walk *walk, const struct known *comment)
{
	if (comment->left)
		return TEXT("(deleted)");
	return comment->erased
	    ? TEXT("")
	    : text_format(&walk->arena, "Words %u", comment->text);
}

static bool
takes_comments(struct walk *walk, const struct known *article)
{
	return article->removed == 0 && article->thread_closed == 0 &&
	    now_of(walk) < article->posted + THREAD_WINDOW;
}

/* True if one comes before the other in an author's comments, newest first. */
static bool
comes_before(const struct known *one, const struct known *other)
{
	if (one->posted != other->posted)
		return one->posted > other->posted;
	if (one->id.article != other->id.article)
		return one->id.article > other->id.article;
	return one->id.comment > other->id.comment;
}

static bool
is_listed_with(
    struct walk *walk, const struct known *comment, const struct known *other)
{
	const struct buckets *buckets = &walk->world->store.buckets;

	return other->removed == 0 && other->author == comment->author &&
	    key_bucket_of(buckets, other->id.article) ==
	    key_bucket_of(buckets, comment->id.article);
}

static size_t
count_newer(struct walk *walk, const struct known *comment)
{
	size_t count = 0;

	for (size_t i = 0; i < walk->comment_count; i++)
		count += is_listed_with(walk, comment, &walk->comments[i]) &&
		    walk->comments[i].posted > comment->posted;
	return count;
}

/* The newest comment with the same text and parent; NULL if there is none, or it is too
 * old. */
static const struct known *
find_repeated(struct walk *walk, const struct known *comment)
{
	const struct known *found = NULL;

	for (size_t i = 0; i < walk->comment_count; i++) {
		const struct known *other = &walk->comments[i];

		if (is_listed_with(walk, comment, other) &&
		    other->article == comment->article &&
		    other->parent == comment->parent &&
		    other->text == comment->text && !other->erased &&
		    count_newer(walk, other) < REPEATED &&
		    (found == NULL || comes_before(other, found)))
			found = other;
	}
	return found;
}

/* The time that the author has to wait in a thread with many recent flags. */
static int64_t
wait_for(struct walk *walk, const struct known *comment)
{
	int64_t now = now_of(walk), last = now - RULE_SLOW_SECONDS;

	if (count_bits(comment->article->flaggers) < RULE_SLOW_FLAGS ||
	    now > comment->article->forgotten)
		return 0;
	for (size_t i = 0; i < walk->comment_count; i++) {
		const struct known *other = &walk->comments[i];

		if (other->removed == 0 && other->author == comment->author &&
		    other->article == comment->article && other->posted > last)
			last = other->posted;
	}
	return last - (now - RULE_SLOW_SECONDS);
}

/* One of the article's newest, or NULL. */
static struct known *
pick_comment_of(struct walk *walk, const struct known *article)
{
	struct known *found = NULL;
	unsigned back = pick(walk, 6);

	for (size_t i = walk->comment_count; i-- > 0;) {
		if (walk->comments[i].article != article)
			continue;
		found = &walk->comments[i];
		if (back-- == 0)
			break;
	}
	return found;
}

/* One time in three a member replies to the last comment, one time in six with the same
 * text. */
static struct known
new_comment(struct walk *walk, struct known *article)
{
	struct known comment = { .id.article = article->id.article,
		.author = pick(walk, MEMBERS),
		.posted = now_of(walk),
		.article = article,
		.text = (unsigned)walk->comment_count };
	const struct known *last = pick_comment_of(walk, article);

	if (pick(walk, 2) == 0)
		comment.parent = last;
	if (last == NULL || pick(walk, 3) > 0)
		return comment;
	comment.author = last->author;
	if (pick(walk, 2) == 0) {
		comment.parent = last->parent;
		comment.text = last->text;
	}
	return comment;
}

static enum store_result
expected_of(struct walk *walk, const struct known *comment)
{
	if (find_repeated(walk, comment) != NULL)
		return STORE_TAKEN;
	if (comment->article->removed != 0 ||
	    (comment->parent != NULL && comment->parent->removed != 0))
		return STORE_REMOVED;
	if (!takes_comments(walk, comment->article))
		return STORE_CLOSED;
	return wait_for(walk, comment) > 0 ? STORE_LIMITED : STORE_OK;
}

/* Nobody is notified twice, or of their own comments. */
static void
note_telling(struct walk *walk, const struct known *comment, unsigned to,
    enum notice_reason why)
{
	for (size_t i = walk->telling_count;
	    i-- > 0 && walk->tellings[i].comment == comment;)
		if (walk->tellings[i].to == to)
			return;
	if (to != comment->author)
		walk->tellings[walk->telling_count++] =
		    (struct telling){ comment, to, why, .waits = true };
}

static void
note_tellings(struct walk *walk, const struct known *comment,
    const unsigned *named, size_t count)
{
	const struct known *parent = comment->parent;

	if (parent != NULL)
		note_telling(walk, comment, parent->author, NOTICE_REPLY);
	else
		note_telling(
		    walk, comment, comment->article->author, NOTICE_ARTICLE);
	for (size_t i = 0; i < count; i++)
		note_telling(walk, comment, named[i], NOTICE_MENTION);
}

static void
step_comment(struct walk *walk, struct known *article)
{
	struct known known = new_comment(walk, article);
	unsigned named[2] = { pick(walk, MEMBERS), pick(walk, MEMBERS) };
	uint64_t ids[2] = { walk->members[named[0]], walk->members[named[1]] };
	struct comment_posting posting = { .named = ids,
		.named_count = pick(walk, 3) };
	struct comment comment = { .post.id = known.id,
		.post.author = member_of(walk, known.author),
		.parent = known.parent == NULL
		    ? 0
		    : (int64_t)known.parent->id.comment,
		.text = text_of_comment(walk, &known) };
	enum store_result expected = expected_of(walk, &known);

	if (walk->comment_count == COMMENTS)
		return;
	expect(walk,
	    comment_post(&walk->world->store, &walk->arena, &comment, &posting),
	    expected);
	if (expected == STORE_TAKEN)
		assert_int_equal(comment.post.id.comment,
		    find_repeated(walk, &known)->id.comment);
	if (expected == STORE_LIMITED)
		assert_int_equal(posting.wait, wait_for(walk, &known));
	if (expected != STORE_OK)
		return;
	known.id.comment = (uint64_t)++article->commented;
	assert_int_equal(comment.post.id.comment, known.id.comment);
	known.votes[known.author] = VOTE_UP;
	article->comments++;
	walk->comments[walk->comment_count] = known;
	note_tellings(walk, &walk->comments[walk->comment_count++], named,
	    posting.named_count);
}

static void
step_rewrite(struct walk *walk, struct known *comment)
{
	struct known edited = *comment;
	enum store_result expected = STORE_OK;

	if (pick(walk, 4) > 0)
		edited.text = 100000 + pick(walk, 1000);
	edited.erased = edited.left = false;
	if (comment->removed != 0)
		expected = STORE_REMOVED;
	else if (!takes_comments(walk, comment->article))
		expected = STORE_CLOSED;
	expect(walk,
	    comment_edit(&walk->world->store, &walk->arena, comment->id,
		text_of_comment(walk, &edited), TEXT("")),
	    expected);
	if (expected != STORE_OK)
		return;
	if ((edited.text != comment->text || comment->erased) &&
	    now_of(walk) >= comment->posted + RULE_COMMENT_GRACE)
		edited.edited = now_of(walk);
	/* The dismissed flags were on another text. */
	if (edited.text != comment->text || comment->erased) {
		edited.flags &= ~comment->dismissed;
		edited.dismissed = 0;
	}
	*comment = edited;
}

static void
step_delete(struct walk *walk, struct known *comment)
{
	unsigned member =
	    pick(walk, 4) > 0 ? comment->author : pick(walk, MEMBERS);
	enum store_result expected = STORE_OK;

	if (member != comment->author)
		expected = STORE_ABSENT;
	else if (comment->removed != 0 && !comment->withdrawn)
		expected = STORE_REMOVED;
	expect(walk,
	    post_delete(&walk->world->store, &walk->arena, comment->id,
		walk->members[member]),
	    expected);
	if (expected != STORE_OK || comment->removed != 0)
		return;
	take_down(walk, comment);
	comment->withdrawn = comment->erased = true;
	comment->left = false;
}

static void
step_thread(struct walk *walk, struct known *article)
{
	bool closes = pick(walk, 2) == 0;
	const struct mod_action action = {
		.what = mod_action_words[closes ? MOD_THREAD_CLOSED
						: MOD_THREAD_OPENED],
		.article = article->id.article
	};

	expect(walk,
	    article_set_thread(&walk->world->store, &walk->arena,
		article->id.article,
		closes ? ARTICLE_THREAD_CLOSED : ARTICLE_THREAD_OPEN, &action),
	    article->removed != 0 ? STORE_REMOVED : STORE_OK);
	if (article->removed != 0 || closes == (article->thread_closed != 0))
		return;
	article->thread_closed = closes ? now_of(walk) : 0;
}

static void
leave_post(struct walk *walk, struct known *known, unsigned member)
{
	if (known->author != member)
		return;
	if (known->removed == 0) {
		take_down(walk, known);
		known->withdrawn = true;
	}
	known->erased = known->left = true;
}

/* Articles on which voting has closed. */
static void
place_all(struct world *world)
{
	struct arena arena = { 0 };
	int64_t logged = 0;

	while (points_step(&world->store, &arena, &logged))
		arena_reset(&arena);
	assert_int_equal(logged, 0);
	arena_free(&arena);
}

/* Notices. */

static void
step_tell(struct walk *walk)
{
	while (relay_step(walk->relay) == 0)
		;
	place_all(walk->world);
	for (size_t i = 0; i < walk->telling_count; i++) {
		struct telling *telling = &walk->tellings[i];
		struct listener *listener = &walk->listeners[telling->to];
		const struct known *comment = telling->comment;

		if (!telling->waits)
			continue;
		telling->waits = false;
		telling->is_there = !listener->left &&
		    !listener->articles[comment->article - walk->articles] &&
		    (listener->members >> comment->author & 1) == 0;
		listener->told += telling->is_there ? 1 : 0;
	}
}

/* Sometimes more than there are. */
static void
step_read(struct walk *walk)
{
	unsigned member = pick(walk, MEMBERS);
	struct listener *listener = &walk->listeners[member];
	int64_t number = pick(walk, (unsigned)listener->told + 3);

	expect(walk,
	    inbox_mark_read(&walk->world->store, &walk->arena,
		walk->members[member], (uint64_t)number),
	    STORE_OK);
	if (number > listener->told)
		number = listener->told;
	if (number > listener->read)
		listener->read = number;
}

static void
step_mute(struct walk *walk, const struct known *article)
{
	struct store *store = &walk->world->store;
	unsigned member = pick(walk, MEMBERS), other = pick(walk, MEMBERS);
	struct listener *listener = &walk->listeners[member];
	bool is_article = pick(walk, 2) == 0, mutes = pick(walk, 3) > 0;
	bool is_self = !is_article && other == member;
	const struct hidden_rule author = { .kind = HIDDEN_MEMBER,
		.id = walk->members[other] };
	uint64_t user = walk->members[member], id = article->id.article;
	struct arena *arena = &walk->arena;
	enum store_result result;

	/* Pages refuse to hide oneself (pages/hidden_lines.h). */
	if (is_self)
		return;
	if (is_article)
		result = mutes ? inbox_mute(store, arena, user, id)
			       : inbox_unmute(store, arena, user, id);
	else
		result = mutes ? hidden_add(store, arena, user, &author)
			       : hidden_remove(store, arena, user, &author);
	expect(walk, result, mutes && listener->left ? STORE_ABSENT : STORE_OK);
	if (listener->left)
		return;
	if (is_article)
		listener->articles[article - walk->articles] = mutes;
	else if (mutes)
		listener->members |= UINT32_C(1) << other;
	else
		listener->members &= ~(UINT32_C(1) << other);
}

static void
step_inbox(struct walk *walk, const struct known *article)
{
	unsigned kind = pick(walk, 6);

	if (kind < 2)
		step_tell(walk);
	else if (kind < 3)
		step_read(walk);
	else
		step_mute(walk, article);
}

/* Its notices are deleted with it; their count stays. */
static void
leave_inbox(struct walk *walk, unsigned member)
{
	struct listener *listener = &walk->listeners[member];

	*listener = (struct listener){
		.told = listener->told, .read = listener->read, .left = true
	};
	for (size_t i = 0; i < walk->telling_count; i++)
		if (walk->tellings[i].to == member)
			walk->tellings[i].is_there = false;
}

/* With all of the member's texts; another member continues with the same name. */
static void
step_leave(struct walk *walk)
{
	struct store *store = &walk->world->store;
	unsigned member = pick(walk, MEMBERS);
	struct user user;

	assert_int_equal(
	    user_get(store, &walk->arena, walk->members[member], &user),
	    STORE_OK);
	assert_int_equal(close_account(store, &walk->arena, &user,
			     CLOSE_ACCOUNT_ERASE_TEXTS),
	    STORE_OK);
	leave_inbox(walk, member);
	for (size_t i = 0; i < walk->count; i++)
		leave_post(walk, &walk->articles[i], member);
	for (size_t i = 0; i < walk->comment_count; i++)
		leave_post(walk, &walk->comments[i], member);
}

/* Actions on a post of either kind. */
static void
step_post_of_any(struct walk *walk, struct known *known, unsigned kind)
{
	if (kind < 30)
		step_vote(walk, known);
	else if (kind < 41)
		step_void(walk, known);
	else if (kind < 56)
		step_flag(walk, known);
	else if (kind < 58)
		step_dismiss(walk, known);
	else if (kind < 60)
		step_remove(walk, known);
	else
		step_restore(walk, known);
}

static void
step_comment_of(struct walk *walk, struct known *known, unsigned kind)
{
	if (kind < 63)
		step_post_of_any(walk, known, kind);
	else if (kind < 74)
		step_rewrite(walk, known);
	else
		step_delete(walk, known);
}

static void
step_article_of(struct walk *walk, struct known *known, unsigned kind)
{
	if (kind < 63)
		step_post_of_any(walk, known, kind);
	else if (kind < 72)
		step_file(walk, known);
	else if (kind < 73)
		step_withdraw(walk, known);
	else
		step_thread(walk, known);
}

/* The newest are changed most often. */
static struct known *
pick_newest(struct walk *walk, struct known *posts, size_t count)
{
	size_t back = pick(walk, pick(walk, 16) + 1);

	return &posts[back < count ? count - 1 - back : 0];
}

static void
step(struct walk *walk)
{
	unsigned kind = pick(walk, 102), what = pick(walk, 76);
	struct known *article = pick_newest(walk, walk->articles, walk->count);
	struct known *comment =
	    pick_newest(walk, walk->comments, walk->comment_count);

	arena_reset(&walk->arena);
	if (kind < 3 || walk->count == 0)
		step_post(walk);
	else if (kind < 19 || walk->comment_count == 0)
		step_comment(walk, article);
	else if (kind < 50)
		step_comment_of(walk, comment, what);
	else if (kind < 94)
		step_article_of(walk, article, what);
	else if (kind < 100)
		step_inbox(walk, article);
	else if (pick(walk, 40) > 0)
		world_move_clock(walk->world, pick(walk, 600));
	else
		step_leave(walk);
}

static void
compare_post(struct walk *walk, const struct known *known,
    const struct post *post, unsigned viewer)
{
	assert_int_equal(post->author.id, walk->members[known->author]);
	assert_int_equal(post->posted, known->posted);
	assert_int_equal(post->closes, known->posted + WINDOW);
	assert_int_equal(post->up, count_votes(known, VOTE_UP));
	assert_int_equal(post->down, count_votes(known, VOTE_DOWN));
	assert_int_equal(post->removed, known->removed);
	assert_int_equal(post_is_withdrawn(post), known->withdrawn);
	if (post->voters_known)
		assert_int_equal(post->vote,
		    known->voided[viewer] ? VOTE_NONE : known->votes[viewer]);
	else
		assert_true(now_of(walk) >= post->closes);
}

static void
compare_comment(struct walk *walk, const struct known *known)
{
	unsigned viewer = pick(walk, MEMBERS);
	struct comment comment;
	int64_t now;

	assert_int_equal(comment_get(&walk->world->store, &walk->arena,
			     known->id, walk->members[viewer], &comment, &now),
	    STORE_OK);
	compare_post(walk, known, &comment.post, viewer);
	assert_int_equal(comment.parent,
	    known->parent == NULL ? 0 : known->parent->id.comment);
	assert_same(comment.text, text_of_comment(walk, known));
	assert_int_equal(comment.post.edited, known->edited);
}

static void
compare_article(struct walk *walk, const struct known *known)
{
	unsigned viewer = pick(walk, MEMBERS);
	struct article article = world_article(
	    walk->world, known->id.article, walk->members[viewer]);
	uint32_t groups = 0;
	struct text name;

	compare_post(walk, known, &article.post, viewer);
	assert_text(article.title, known->left ? "(deleted)" : "A title");
	assert_int_equal(article.interesting, known->interesting);
	assert_int_equal(article.flag != FLAG_NONE, known->flags >> viewer & 1);
	assert_int_equal(article.comments, known->comments);
	assert_int_equal(article.commented, known->commented);
	assert_int_equal(article.thread_closed, known->thread_closed);
	while (text_next_word(&article.groups, &name)) {
		uint64_t number;

		assert_true(text_to_u64(
		    text_slice(name, strlen("group"), name.size), &number));
		assert_true((groups >> number & 1) == 0);
		groups |= UINT32_C(1) << number;
	}
	assert_int_equal(groups, known->groups);
}

static int64_t
karma_of(const struct known *posts, size_t count, unsigned member)
{
	int64_t karma = 0;

	for (size_t i = 0; i < count; i++)
		if (posts[i].author == member)
			karma += count_votes(&posts[i], VOTE_UP) -
			    count_votes(&posts[i], VOTE_DOWN) - 1;
	return karma;
}

static void
compare_karma(struct walk *walk)
{
	for (unsigned m = 0; m < MEMBERS; m++)
		assert_int_equal(world_karma(walk->world, walk->members[m]),
		    karma_of(walk->articles, walk->count, m) +
			karma_of(walk->comments, walk->comment_count, m));
}

static int64_t
count_queued(const struct known *posts, size_t count)
{
	int64_t queued = 0;

	for (size_t i = 0; i < count; i++)
		queued += posts[i].removed == 0 && posts[i].open != 0;
	return queued;
}

static void
compare_queue(struct walk *walk)
{
	const struct buckets *buckets = &walk->world->store.buckets;
	int64_t queued = 0;

	for (uint64_t b = 0; b < buckets->count; b++)
		queued += world_command(walk->world, TEXT("ZCARD"),
		    key_queue(&walk->arena, buckets, b))
			      .number;
	assert_int_equal(queued,
	    count_queued(walk->articles, walk->count) +
		count_queued(walk->comments, walk->comment_count));
}

static void
compare_groups(struct walk *walk)
{
	struct group *groups;
	uint64_t total;
	size_t got;

	assert_int_equal(group_list(&walk->world->store, &walk->arena, 0,
			     GROUPS, &groups, &got, &total),
	    STORE_OK);
	assert_int_equal(got, GROUPS);
	for (size_t g = 0; g < got; g++) {
		uint64_t number, expected = 0;

		assert_true(text_to_u64(
		    text_slice(groups[g].name, strlen("group"), SIZE_MAX),
		    &number));
		for (size_t i = 0; i < walk->count; i++)
			if (walk->articles[i].removed == 0 &&
			    (walk->articles[i].groups >> number & 1) != 0)
				expected++;
		assert_int_equal(groups[g].articles, expected);
	}
}

/* Orders. */

/* The last comment that can be read or, without one, the article itself. */
static int64_t
active_at(const struct walk *walk, const struct known *article)
{
	int64_t last = article->posted;

	for (size_t i = 0; i < walk->comment_count; i++)
		if (walk->comments[i].article == article &&
		    walk->comments[i].removed == 0 &&
		    walk->comments[i].posted > last)
			last = walk->comments[i].posted;
	return last;
}

/* By what an article is ranked, the highest first. */
static double
worth_of(struct walk *walk, const struct known *article, enum list_order order)
{
	int points =
	    count_votes(article, VOTE_UP) - count_votes(article, VOTE_DOWN);
	int64_t age = now_of(walk) / 60 * 60 - article->posted;

	switch (order) {
	case ORDER_TOP:
		return (double)(article->posted +
		    walk->world->store.rules.vote_score * points);
	case ORDER_BEST:
		return points;
	case ORDER_ACTIVE:
		return (double)active_at(walk, article);
	case ORDER_HOT:
		return pow(points > 1 ? points - 1 : 0, 0.8) /
		    pow((age > 0 ? (double)age : 0) / 3600 + 2, 1.8);
	default:
		return (double)article->posted;
	}
}

struct ranked {
	uint64_t id;
	int64_t posted; /* where that comes next, or 0 */
	double worth;
};

static int
compare_ranked(const void *a, const void *b)
{
	const struct ranked *one = a, *other = b;

	if (one->worth != other->worth)
		return one->worth > other->worth ? -1 : 1;
	if (one->posted != other->posted)
		return one->posted > other->posted ? -1 : 1;
	return one->id > other->id ? -1 : 1;
}

/* Of articles in any of the groups, or of all. */
static size_t
rank_articles(struct walk *walk, const struct list_query *query,
    uint32_t groups, struct ranked *ranked)
{
	bool is_counted =
	    query->order == ORDER_HOT || query->order == ORDER_BEST;
	size_t count = 0;

	for (size_t i = 0; i < walk->count; i++) {
		const struct known *known = &walk->articles[i];

		if (known->removed == 0 &&
		    (query->kind == LIST_FRONT ||
			(known->groups & groups) != 0))
			ranked[count++] = (struct ranked){ known->id.article,
				is_counted ? known->posted : 0,
				worth_of(walk, known, query->order) };
	}
	if (count > 0)
		qsort(ranked, count, sizeof(*ranked), compare_ranked);
	return count;
}

static void
compare_order(struct walk *walk, struct world *world,
    const struct list_query *query, uint32_t groups)
{
	struct ranked ranked[ARTICLES];
	size_t count = rank_articles(walk, query, groups, ranked);
	struct versions versions;
	struct order order;

	assert_int_equal(list_read_order(&world->store, &world->arena, query,
			     ARTICLES, &order, &versions),
	    STORE_OK);
	assert_false(order.is_approximate);
	assert_int_equal(order.count, count);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(order.entries[i].id, ranked[i].id);
}

/* Of all articles, of two groups, and of all groups as a member's front page. The front page by
 * score is another order (lists/pinned_test.c). */
static void
compare_orders(struct walk *walk, struct world *world)
{
	static const enum list_order orders[] = { ORDER_NEW, ORDER_ACTIVE,
		ORDER_HOT, ORDER_BEST, ORDER_TOP };
	struct text names[GROUPS];
	struct list_query query = { .groups = names };

	for (unsigned g = 0; g < GROUPS; g++)
		names[g] = text_format(&walk->arena, "group%u", g);
	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
		query.order = orders[i];
		query.kind = LIST_FRONT;
		if (query.order != ORDER_TOP)
			compare_order(walk, world, &query, 0);
		query.kind = LIST_GROUPS;
		query.group_count = 2;
		query.is_home = false;
		compare_order(walk, world, &query, 3);
		query.group_count = GROUPS;
		query.is_home = true;
		compare_order(walk, world, &query, (UINT32_C(1) << GROUPS) - 1);
	}
}

static const struct telling *
find_telling(struct walk *walk, unsigned member, const struct notice *notice)
{
	for (size_t i = 0; i < walk->telling_count; i++) {
		const struct telling *telling = &walk->tellings[i];
		struct post_id id = telling->comment->id;

		if (telling->is_there && telling->to == member &&
		    telling->why == notice->reason &&
		    id.article == notice->comment.article &&
		    id.comment == notice->comment.comment)
			return telling;
	}
	return NULL;
}

static void
compare_mutes(struct walk *walk, unsigned member)
{
	const struct listener *listener = &walk->listeners[member];
	struct store *store = &walk->world->store;
	uint64_t user = walk->members[member], *articles;
	struct hidden_rule *rules;
	size_t count, rule_count, expected = 0;
	uint32_t hidden = 0;

	assert_int_equal(
	    inbox_mutes(store, &walk->arena, user, &articles, &count),
	    STORE_OK);
	for (size_t i = 0; i < walk->count; i++) {
		assert_int_equal(sort_find(walk->articles[i].id.article,
				     articles, count) != NULL,
		    listener->articles[i]);
		expected += listener->articles[i];
	}
	assert_int_equal(count, expected);
	assert_int_equal(
	    hidden_get(store, &walk->arena, user, &rules, &rule_count),
	    STORE_OK);
	for (size_t i = 0; i < rule_count; i++) {
		assert_int_equal(rules[i].kind, HIDDEN_MEMBER);
		for (unsigned m = 0; m < MEMBERS; m++)
			if (walk->members[m] == rules[i].id)
				hidden |= UINT32_C(1) << m;
	}
	assert_int_equal(hidden, listener->members);
}

static void
compare_inbox(struct walk *walk, unsigned member)
{
	struct store *store = &walk->world->store;
	const struct listener *listener = &walk->listeners[member];
	struct notice *notices;
	struct user user;
	uint64_t total, expected = 0;
	size_t got;

	assert_int_equal(
	    user_get(store, &walk->arena, walk->members[member], &user),
	    STORE_OK);
	assert_int_equal(user.notified, listener->told);
	assert_int_equal(user.read, listener->read);
	assert_int_equal(inbox_read(store, &walk->arena, walk->members[member],
			     0, COMMENTS, &notices, &got, &total),
	    STORE_OK);
	for (size_t i = 0; i < walk->telling_count; i++)
		expected += walk->tellings[i].is_there &&
		    walk->tellings[i].to == member;
	assert_int_equal(total, expected);
	assert_int_equal(got, expected);
	for (size_t i = 0; i < got; i++) {
		assert_non_null(find_telling(walk, member, &notices[i]));
		assert_int_equal(
		    notices[i].number, (uint64_t)listener->told - i);
	}
}

static void
compare_inboxes(struct walk *walk)
{
	for (unsigned m = 0; m < MEMBERS; m++) {
		compare_inbox(walk, m);
		compare_mutes(walk, m);
	}
}

static void
assert_no_breaks(struct world *world)
{
	struct outcome outcome = commands_check(world);

	assert_text(outcome.errors, "");
	assert_has(outcome.out, "\n0 breaks\n");
	assert_int_equal(outcome.status, 0);
}

static void
check(struct walk *walk)
{
	for (size_t i = 0; i < walk->count; i++)
		compare_article(walk, &walk->articles[i]);
	for (size_t i = 0; i < walk->comment_count; i++)
		compare_comment(walk, &walk->comments[i]);
	compare_karma(walk);
	compare_queue(walk);
	compare_groups(walk);
	compare_orders(walk, walk->world);
	compare_inboxes(walk);
	assert_int_equal(
	    invariants_check(walk->world), walk->count + walk->comment_count);
	assert_no_breaks(walk->world);
}

/* In another number of buckets, at the same time. */
static void
check_dump(struct walk *walk)
{
	struct world *world = walk->world, other;
	struct text dump = commands_dump(world).out;

	world_open(&other, 5 - world->store.buckets.count);
	world_stop_clock(&other, now_of(walk));
	assert_int_equal(commands_load(&other, dump, LOAD_STOP).status, 0);
	place_all(&other);
	assert_int_equal(
	    invariants_check(&other), walk->count + walk->comment_count);
	assert_no_breaks(&other);
	assert_same(commands_dump(&other).out, dump);
	compare_orders(walk, &other);
	world_close(&other);
}

static size_t
count_removed(const struct known *posts, size_t count)
{
	size_t removed = 0;

	for (size_t i = 0; i < count; i++)
		removed += posts[i].removed != 0;
	return removed;
}

/* Some notices are delivered, some are muted, and some are read. */
static void
check_inboxes(struct walk *walk)
{
	size_t told = 0, silent = 0, read = 0, unread = 0;

	for (size_t i = 0; i < walk->telling_count; i++) {
		const struct telling *telling = &walk->tellings[i];

		told += telling->is_there;
		silent += !telling->is_there && !telling->waits &&
		    !walk->listeners[telling->to].left;
	}
	for (unsigned m = 0; m < MEMBERS; m++) {
		read += walk->listeners[m].read > 0;
		unread += walk->listeners[m].read < walk->listeners[m].told;
	}
	assert_in_range(told, 100, walk->telling_count);
	assert_in_range(silent, 20, walk->telling_count);
	assert_in_range(read, 5, MEMBERS);
	assert_in_range(unread, 5, MEMBERS);
}

/* The walk has met every possible outcome. */
static void
check_answers(const struct walk *walk)
{
	size_t interesting = 0, replies = 0, edited = 0, closed = 0;

	for (enum store_result i = STORE_OK; i < STORE_DOWN; i++)
		if (i != STORE_SUSPENDED && i != STORE_LAST_OWNER &&
		    i != STORE_HELD && i != STORE_FACTOR && i != STORE_MISMATCH)
			assert_true(walk->answers[i] > 0);
	for (size_t i = 0; i < walk->count; i++) {
		interesting += walk->articles[i].interesting != 0;
		closed += walk->articles[i].thread_closed != 0;
	}
	for (size_t i = 0; i < walk->comment_count; i++) {
		replies += walk->comments[i].parent != NULL;
		edited += walk->comments[i].edited != 0;
	}
	assert_in_range(walk->count, 100, ARTICLES);
	assert_in_range(walk->comment_count, 300, COMMENTS);
	assert_in_range(interesting, 10, walk->count - 10);
	assert_in_range(closed, 5, walk->count - 5);
	assert_in_range(replies, 100, walk->comment_count - 100);
	assert_in_range(edited, 5, walk->comment_count - 5);
	assert_in_range(
	    count_removed(walk->articles, walk->count), 5, walk->count - 5);
	assert_in_range(count_removed(walk->comments, walk->comment_count), 20,
	    walk->comment_count - 20);
}

static void
random_walk_preserves_the_invariants(void **state)
{
	struct world *world = *state;
	struct walk *walk = arena_new(&world->arena, struct walk, 1);

	walk->world = world;
	walk->seed = 21;
	walk->relay = relay_new(&world->store, TEXT("walk"));
	world_stop_clock(world, NOON);
	world->store.rules.vote_window = WINDOW;
	world->store.rules.interesting = INTERESTING;
	world->store.rules.thread_window = THREAD_WINDOW;
	for (unsigned i = 0; i < MEMBERS; i++)
		walk->members[i] = world_member(
		    world, fixture_string(&world->arena, "member%u", i));
	for (unsigned i = 0; i < GROUPS; i++)
		world_group(world, fixture_string(&world->arena, "group%u", i));
	for (int i = 1; i <= STEPS; i++) {
		step(walk);
		if (i % (STEPS / 4) == 0)
			check(walk);
	}
	check_answers(walk);
	check_inboxes(walk);
	check_dump(walk);
	relay_free(walk->relay);
	arena_free(&walk->arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(random_walk_preserves_the_invariants),
	};

	return world_run("walk", tests);
}
