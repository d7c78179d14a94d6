#include "archive/vet.h"

#include "base/arena.h"
#include "base/crypto.h"
#include "base/utf8.h"

/* What every value is looked at with, and the first fault that was found. */
struct vet {
	struct arena *arena;
	const struct rules *rules;
	problem_words *words;
	struct text fault;
};

static void
fault(struct vet *vet, struct text what)
{
	if (vet->fault.size == 0)
		vet->fault = what;
}

/*
 * The rules clean what they look at. A dump keeps what it has: what cleaning
 * would take out in silence stays, and so does what nobody sees, which was good
 * when older dumps were written; what deceives is refused.
 */
static void
vet_characters(struct vet *vet, const char *name, struct text text,
    enum utf8_lines lines, size_t max)
{
	size_t length = utf8_length(text);
	enum utf8_removed removed;

	utf8_clean(vet->arena, text, lines, &removed);
	if (removed == UTF8_DECEPTIVE)
		fault(vet,
		    text_format(vet->arena,
			"\"%s\" has control or text direction characters",
			name));
	if (length > max)
		fault(vet,
		    text_format(vet->arena,
			"\"%s\" has %zu characters, and at most %zu are "
			"allowed",
			name, length, max));
}

/* What a rule says of the value of a member, which comes out in its form. */
static struct text
vet_value(struct vet *vet, const char *name, struct text value, rule *check)
{
	struct problem problem = check(vet->arena, &value);

	if (problem.kind != PROBLEM_NONE &&
	    problem.kind != PROBLEM_CHARACTERS_UNSEEN)
		fault(vet,
		    text_format(vet->arena, "\"%s\": %.*s", name,
			TEXT_ARGS(vet->words(vet->arena, &problem))));
	return value;
}

/* A name is a key as well: it must be in its form already. */
static void
vet_name(struct vet *vet, const char *name, struct text value, rule *check)
{
	if (!text_equal(vet_value(vet, name, value, check), value))
		fault(vet,
		    text_format(vet->arena,
			"\"%s\" has spaces around it, capitals or repeats",
			name));
}

static void
vet_title(struct vet *vet, struct text title, rule *check)
{
	vet_characters(vet, "title", title, UTF8_ONE_LINE, RULE_TITLE_MAX);
	vet_value(vet, "title", title, check);
}

static void
vet_site(struct vet *vet, const struct settings *site)
{
	struct text hosts = site->hosts, host;
	int64_t since;

	vet_value(vet, "name", site->name, rule_site_name);
	vet_value(vet, "tagline", site->tagline, rule_line);
	vet_value(vet, "contact", site->contact, rule_line);
	vet_value(vet, "about", site->about, rule_body);
	vet_value(vet, "style", site->style, rule_style);
	vet_value(vet, "registration", site->registration, rule_registration);
	vet_value(
	    vet, "group_creation", site->group_creation, rule_group_creation);
	vet_value(vet, "voting", site->voting, rule_voting);
	vet_value(vet, "log_names", site->log_names, rule_log_names);
	if (site->voting_since.size > 0 &&
	    !text_to_i64(site->voting_since, &since))
		fault(vet, TEXT("\"voting_since\" is not a moment"));
	while (text_next_word(&hosts, &host))
		vet_name(vet, "hosts", host, rule_host);
}

static void
vet_user(struct vet *vet, const struct user *user)
{
	struct text rest = user->invited, name;

	if (user->password_hash.size > 0 &&
	    !crypto_password_hash_valid(user->password_hash))
		fault(vet,
		    TEXT("\"password\" is neither empty nor a hash of "
			 "argon2id with m up to 65536, t and p up to 4"));
	vet_name(vet, "name", user->name, rule_user_name);
	vet_value(vet, "suspension", user->suspension, rule_reason);
	if (user->invited_by.size > 0)
		vet_name(vet, "invited_by", user->invited_by, rule_user_name);
	while (text_next_word(&rest, &name))
		vet_name(vet, "invited", name, rule_user_name);
	if (user->read > user->notified)
		fault(vet, TEXT("\"read\" is above \"told\""));
}

static void
vet_group(struct vet *vet, const struct group *group)
{
	vet_name(vet, "name", group->name, rule_group_name);
	vet_title(vet, group->title, rule_group_title);
	if (group->into.size > 0)
		vet_name(vet, "into", group->into, rule_group_name);
}

/* What is typed without a scheme gets one; a dump has links as they are linked. */
static void
vet_link(struct vet *vet, struct text url)
{
	const struct problem problem = { .kind = PROBLEM_LINK_SCHEME };
	struct text start = text_lower(vet->arena, text_trim(url));

	vet_value(vet, "url", url, rule_link);
	if (!text_starts(start, TEXT("http://")) &&
	    !text_starts(start, TEXT("https://")))
		fault(vet,
		    text_format(vet->arena, "\"url\": %.*s",
			TEXT_ARGS(vet->words(vet->arena, &problem))));
}

static void
vet_content(struct vet *vet, const struct article *article)
{
	if ((article->url.size > 0) == (article->text.size > 0))
		fault(vet, TEXT("an article has either a link or a text"));
	if (article->url.size > 0) {
		vet_link(vet, article->url);
		return;
	}
	vet_characters(
	    vet, "text", article->text, UTF8_MANY_LINES, RULE_TEXT_MAX);
	if (!utf8_visible(article->text))
		fault(vet, TEXT("\"text\" has nothing in it that can be seen"));
	vet_value(vet, "text", article->text, rule_body);
}

static void
vet_count(struct vet *vet, const char *way, int64_t count, size_t voters)
{
	if (count != (int64_t)voters)
		fault(vet,
		    text_format(vet->arena, "\"%s\" is %lld, and %zu voted so",
			way, (long long)count, voters));
}

/* What an article and a comment have in common. */
static void
vet_post(struct vet *vet, struct record *record)
{
	struct post *post = record_post(record);

	if (post->closes == 0)
		post->closes = post->posted + vet->rules->vote_window;
	if (post->closes < post->posted)
		fault(vet, TEXT("\"closes\" lies before \"posted\""));
	vet_value(vet, "ruling", post->mod_note, rule_reason);
	if (!post->voters_known)
		return;
	vet_count(vet, "up", post->up, record->voters[VOTERS_UP].names.count);
	vet_count(
	    vet, "down", post->down, record->voters[VOTERS_DOWN].names.count);
}

static void
vet_article(struct vet *vet, struct record *record)
{
	struct article *article = &record->article;

	vet_title(vet, article->title, rule_title);
	vet_content(vet, article);
	if (article->markup.size > 0 &&
	    !text_equal(article->markup, TEXT(ARTICLE_MARKDOWN)))
		fault(vet, TEXT("\"markup\" is nothing that texts are in"));
	vet_name(vet, "groups", article->groups, rule_groups);
	vet_post(vet, record);
}

/* Names of members and of groups, as "@ann" and "/g/go". */
static void
vet_links(struct vet *vet, struct text links)
{
	struct text link;

	while (text_next_word(&links, &link))
		if (text_starts(link, TEXT("@")))
			vet_name(vet, "links", text_slice(link, 1, link.size),
			    rule_user_name);
		else if (text_starts(link, TEXT("/g/")))
			vet_name(vet, "links", text_slice(link, 3, link.size),
			    rule_group_name);
		else
			fault(vet, TEXT("\"links\" has one of something else"));
}

/* What the index of a thread has room for. */
static void
vet_room(struct vet *vet, const char *name, int64_t number, int64_t max)
{
	if (number > max)
		fault(vet,
		    text_format(vet->arena, "\"%s\" is above %lld", name,
			(long long)max));
}

static void
vet_comment(struct vet *vet, struct record *record)
{
	const struct comment *comment = &record->comment;
	const struct post *post = &comment->post;

	vet_room(vet, "id", (int64_t)post->id.comment, COMMENT_NUMBER_MAX);
	vet_room(vet, "posted", post->posted, COMMENT_POSTED_MAX);
	vet_room(vet, "up", post->up, COMMENT_VOTES_MAX);
	vet_room(vet, "down", post->down, COMMENT_VOTES_MAX);
	if (comment->parent >= (int64_t)post->id.comment)
		fault(vet, TEXT("\"parent\" is not below \"id\""));
	vet_links(vet, comment->links);
	vet_post(vet, record);
	/* Its author has deleted it. */
	if (comment->text.size == 0 && post->removed != 0)
		return;
	vet_characters(
	    vet, "text", comment->text, UTF8_MANY_LINES, RULE_COMMENT_MAX);
	vet_value(vet, "text", comment->text, rule_comment);
}

static void
vet_act(struct vet *vet, const struct mod_action *act)
{
	enum mod_action_kind kind;

	if (!mod_action_parse(act->what, &kind))
		fault(vet, TEXT("\"what\" is nothing that moderators do"));
	vet_value(vet, "subject", act->subject, rule_reason);
	vet_value(vet, "into", act->into, rule_reason);
	vet_value(vet, "reason", act->reason, rule_reason);
}

static void
vet_notice(struct vet *vet, const struct record_notice *notice)
{
	enum notice_reason why;

	vet_room(vet, "number", (int64_t)notice->number, RECORD_NUMBER_MAX);
	vet_room(vet, "comment", (int64_t)notice->comment.comment,
	    COMMENT_NUMBER_MAX);
	if (!notice_parse(notice->why, &why))
		fault(
		    vet, TEXT("\"why\" is none of article, reply and mention"));
}

static void
vet_mute(struct vet *vet, const struct record_mute *mute)
{
	if ((mute->article != 0) == (mute->member.name.size > 0))
		fault(vet, TEXT("a mute has either an article or a member"));
}

struct text
vet_record(struct arena *arena, const struct rules *rules, problem_words *words,
    struct record *record)
{
	struct vet vet = { arena, rules, words, { NULL, 0 } };

	switch (record->kind) {
	case RECORD_SITE:
		vet_site(&vet, &record->site);
		break;
	case RECORD_USER:
		vet_user(&vet, &record->user);
		break;
	case RECORD_GROUP:
		vet_group(&vet, &record->group);
		break;
	case RECORD_ARTICLE:
		vet_article(&vet, record);
		break;
	case RECORD_COMMENT:
		vet_comment(&vet, record);
		break;
	case RECORD_NOTICE:
		vet_notice(&vet, &record->notice);
		break;
	case RECORD_MUTE:
		vet_mute(&vet, &record->mute);
		break;
	default:
		vet_act(&vet, &record->act);
		break;
	}
	return vet.fault;
}
