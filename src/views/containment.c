#include "views/containment.h"

#include "base/arena.h"
#include "views/format.h"
#include "views/language.h"
#include "views/messages.h"

const struct text containment_range_words[CONTAINMENT_RANGES] = {
	[RANGE_DAY] = TEXT_INIT("day"),
	[RANGE_WEEK] = TEXT_INIT("week"),
	[RANGE_EVER] = TEXT_INIT("ever"),
};

static struct text
extent_posts(struct arena *arena, const struct containment_extent *extent,
    enum containment_range range)
{
	return message_and(arena,
	    message_count(arena, MESSAGE_ARTICLES, extent->articles[range]),
	    message_count(arena, MESSAGE_COMMENTS, extent->comments[range]));
}

static struct mustache_list
host_rows_of(struct arena *arena, const struct containment_extent *extent,
    struct text chosen)
{
	struct containment_host_row *rows =
	    arena_new(arena, struct containment_host_row, extent->host_count);

	for (size_t i = 0; i < extent->host_count; i++) {
		const struct containment_host *host = &extent->hosts[i];

		rows[i].name = host->name;
		rows[i].is_chosen = text_has_word(chosen, host->name);
		if (host->others > 0)
			rows[i].others = message_count(
			    arena, MESSAGE_ARTICLES, host->others);
	}
	return (struct mustache_list){ rows, extent->host_count };
}

static struct text
range_label(enum containment_range range)
{
	static const struct text labels[CONTAINMENT_RANGES] = {
		[RANGE_DAY] = TR_INIT("From the last day"),
		[RANGE_WEEK] = TR_INIT("From the last week"),
		[RANGE_EVER] = TR_INIT("Everything"),
	};

	return language_text(labels[range]);
}

/* As many as are known; empty for none. */
static struct text
votes_of(struct arena *arena, const struct containment_extent *extent)
{
	return extent->votes == 0
	    ? TEXT("")
	    : message_count(arena, MESSAGE_VOTES, extent->votes);
}

struct containment_model
containment_model_of(struct arena *arena, struct text name,
    const struct containment_extent *extent,
    const struct containment_choices *choices)
{
	struct containment_choice *ranges =
	    arena_new(arena, struct containment_choice, CONTAINMENT_RANGES);

	for (enum containment_range i = 0; i < CONTAINMENT_RANGES; i++)
		ranges[i] = (struct containment_choice){
			.word = containment_range_words[i],
			.label = range_label(i),
			.posts = extent_posts(arena, extent, i),
			.is_chosen = choices->removes && choices->range == i
		};
	return (struct containment_model){ .name = name,
		.ranges = { ranges, CONTAINMENT_RANGES },
		.hosts = host_rows_of(arena, extent, choices->hosts),
		.has_hosts = extent->host_count > 0,
		.votes = votes_of(arena, extent),
		.suspends = choices->suspends,
		.voids = choices->voids,
		.ends_invitations = choices->ends_invitations,
		.removes = choices->removes,
		.reason = choices->reason };
}

struct containment_confirm_model
containment_confirm_model_of(struct arena *arena, struct text name,
    const struct containment_extent *extent,
    const struct containment_choices *choices)
{
	enum { LINES_MAX = 5 };
	struct text *lines = arena_new(arena, struct text, LINES_MAX);
	size_t count = 0;

	if (choices->suspends)
		lines[count++] = LANGUAGE_FILL(arena,
		    TR("Suspend {member} permanently"), { "member", name });
	if (choices->removes)
		lines[count++] = LANGUAGE_FILL(arena, TR("Remove {posts}"),
		    { "posts", extent_posts(arena, extent, choices->range) });
	if (choices->voids)
		lines[count++] = extent->votes == 0
		    ? TR("Void all votes that are still open")
		    : LANGUAGE_FILL(arena, TR("Void {votes} or more"),
			  { "votes", votes_of(arena, extent) });
	if (choices->hosts.size > 0)
		lines[count++] =
		    LANGUAGE_FILL(arena, TR("Block links to {sites}"),
			{ "sites", message_words(arena, choices->hosts) });
	if (choices->ends_invitations)
		lines[count++] = TR("Revoke open invitations");
	return (struct containment_confirm_model){ .name = name,
		.lines = { lines, count },
		.reason = choices->reason };
}

static struct mustache_list
post_rows_of(
    struct arena *arena, const struct containment_post *posts, size_t count)
{
	struct containment_post_row *rows =
	    arena_new(arena, struct containment_post_row, count);

	for (size_t i = 0; i < count; i++) {
		rows[i] = (struct containment_post_row){
			.path = format_post_path(arena, posts[i].id),
			.title = posts[i].title
		};
		if (posts[i].id.comment != 0)
			rows[i].comment =
			    text_number(arena, (int64_t)posts[i].id.comment);
		if (rows[i].title.size == 0)
			rows[i].title =
			    LANGUAGE_FILL(arena, TR("Article {number}"),
				{ "number",
				    text_number(
					arena, (int64_t)posts[i].id.article) });
	}
	return (struct mustache_list){ rows, count };
}

/* "2 posts and 1 vote"; empty: none. */
static struct text
rest_of(struct arena *arena, const struct containment_counts *counts)
{
	struct text posts =
	    message_count(arena, MESSAGE_POSTS, counts->left_posts);
	struct text votes =
	    message_count(arena, MESSAGE_VOTES, counts->left_votes);

	if (counts->left_posts > 0 && counts->left_votes > 0)
		return message_and(arena, posts, votes);
	if (counts->left_posts > 0)
		return posts;
	return counts->left_votes > 0 ? votes : TEXT("");
}

/* In the order in which it is done. */
static struct text
deeds_of(struct arena *arena, const struct containment *act,
    const struct containment_counts *counts)
{
	enum { DEEDS_MAX = 5 };
	struct text deeds[DEEDS_MAX];
	size_t count = 0;
	bool restores = text_equal(act->votes, CONTAINMENT_COUNT);

	if (act->hosts.size > 0)
		deeds[count++] = LANGUAGE_FILL(arena, TR("blocked {sites}"),
		    { "sites", message_words(arena, act->hosts) });
	if (act->suspends != 0)
		deeds[count++] = TR("suspended permanently");
	if (act->ends_invitations != 0)
		deeds[count++] = TR("revoked invitations");
	if (counts->posts > 0)
		deeds[count++] = LANGUAGE_FILL(arena, TR("removed {posts}"),
		    { "posts",
			message_count(arena, MESSAGE_POSTS, counts->posts) });
	if (counts->votes > 0)
		deeds[count++] = LANGUAGE_FILL(arena,
		    restores ? TR("restored {votes}") : TR("voided {votes}"),
		    { "votes",
			message_count(arena, MESSAGE_VOTES, counts->votes) });
	return message_series(arena, deeds, count);
}

struct containment_row
containment_row_of(struct arena *arena, const struct containment_shown *shown)
{
	const struct containment *act = shown->act;

	return (struct containment_row){ .act = act->act,
		.did = deeds_of(arena, act, &shown->counts),
		.by = act->by.name,
		.reason = act->reason,
		.at = format_moment(arena, act->at),
		.at_iso = format_iso(arena, act->at),
		.is_running = containment_is(act, CONTAINMENT_ACTING),
		.is_undoing = containment_is(act, CONTAINMENT_UNDOING),
		.is_undone = containment_is(act, CONTAINMENT_UNDONE),
		.may_undo =
		    shown->may_undo && containment_is(act, CONTAINMENT_DONE),
		.posts = post_rows_of(arena, shown->posts, shown->post_count),
		.votes = post_rows_of(arena, shown->votes, shown->vote_count),
		.left_posts = post_rows_of(
		    arena, shown->left_posts, shown->left_post_count),
		.left_votes = post_rows_of(
		    arena, shown->left_votes, shown->left_vote_count),
		.left = rest_of(arena, &shown->counts),
		.has_left = shown->left_post_count + shown->left_vote_count > 0,
		.stayed = act->stayed != 0,
		.left_hosts = message_words(arena, act->left_hosts),
		.ended_invitations = act->ends_invitations != 0 };
}
