#include "archive/vet.h"

#include "base/arena.h"
#include "base/crypto.h"
#include "base/utf8.h"

static const struct text good = { NULL, 0 };

/* What every value is looked at with. */
struct vet {
	struct arena *arena;
	const struct rules *rules;
	problem_words *words;
};

/*
 * The rules clean what they look at. A dump keeps what it has: what cleaning
 * would take out in silence stays, and what it would report is refused.
 */
static struct text
vet_characters(const struct vet *vet, const char *name, struct text text,
    enum utf8_lines lines, size_t max)
{
	bool refused;

	utf8_clean(vet->arena, text, lines, &refused);
	if (refused)
		return text_format(vet->arena,
		    "\"%s\" has control or text direction characters", name);
	if (utf8_length(text) > max)
		return text_format(vet->arena,
		    "\"%s\" has %zu characters, and at most %zu are allowed",
		    name, utf8_length(text), max);
	return good;
}

/* What a rule says of the value of a member. */
static struct text
vet_value(
    const struct vet *vet, const char *name, struct text value, rule *check)
{
	struct problem problem = check(vet->arena, &value);

	return problem.kind == PROBLEM_NONE
	    ? good
	    : text_format(vet->arena, "\"%s\": %.*s", name,
		  TEXT_ARGS(vet->words(vet->arena, &problem)));
}

/* A name is a key as well: it must be in its form already. */
static struct text
vet_name(
    const struct vet *vet, const char *name, struct text value, rule *check)
{
	struct text formed = value;
	struct problem problem = check(vet->arena, &formed);

	if (problem.kind == PROBLEM_NONE && !text_equal(formed, value))
		return text_format(
		    vet->arena, "\"%s\" has spaces around it or repeats", name);
	return vet_value(vet, name, value, check);
}

static struct text
vet_title(const struct vet *vet, struct text title, rule *check)
{
	struct text why =
	    vet_characters(vet, "title", title, UTF8_ONE_LINE, RULE_TITLE_MAX);

	return why.size > 0 ? why : vet_value(vet, "title", title, check);
}

static struct text
vet_user(const struct vet *vet, const struct user *user)
{
	if (user->password_hash.size > 0 &&
	    !crypto_password_hash_valid(user->password_hash))
		return TEXT("\"password\" is neither empty nor a hash of "
			    "argon2id");
	return vet_name(vet, "name", user->name, rule_user_name);
}

static struct text
vet_group(const struct vet *vet, const struct group *group)
{
	struct text why = vet_name(vet, "name", group->name, rule_group_name);

	return why.size > 0 ? why
			    : vet_title(vet, group->title, rule_group_title);
}

static struct text
vet_content(const struct vet *vet, const struct article *article)
{
	struct text why;

	if ((article->url.size > 0) == (article->text.size > 0))
		return TEXT("an article has either a link or a text");
	if (article->url.size > 0)
		return vet_value(vet, "url", article->url, rule_link);
	why = vet_characters(
	    vet, "text", article->text, UTF8_MANY_LINES, RULE_TEXT_MAX);
	if (why.size > 0)
		return why;
	if (!utf8_visible(article->text))
		return TEXT("\"text\" has nothing in it that can be seen");
	return vet_value(vet, "text", article->text, rule_body);
}

static struct text
vet_count(const struct vet *vet, const char *way, int64_t count, size_t voters)
{
	if (count == (int64_t)voters)
		return good;
	return text_format(vet->arena, "\"%s\" is %lld, and %zu voted so", way,
	    (long long)count, voters);
}

static struct text
vet_votes(const struct vet *vet, const struct record *record)
{
	const struct article *article = &record->article;
	struct text why;

	if (!article->post.voters_known)
		return good;
	why = vet_count(vet, "up", article->post.up, record->up.count);
	return why.size > 0
	    ? why
	    : vet_count(vet, "down", article->post.down, record->down.count);
}

static struct text
vet_article(const struct vet *vet, struct record *record)
{
	struct article *article = &record->article;
	struct post *post = &article->post;
	struct text why;

	if (post->closes == 0)
		post->closes = post->posted + vet->rules->vote_window;
	if (post->closes < post->posted)
		return TEXT("\"closes\" lies before \"posted\"");
	why = vet_title(vet, article->title, rule_title);
	if (why.size == 0)
		why = vet_content(vet, article);
	if (why.size == 0)
		why = vet_name(vet, "groups", article->groups, rule_groups);
	return why.size > 0 ? why : vet_votes(vet, record);
}

struct text
vet_record(struct arena *arena, const struct rules *rules, problem_words *words,
    struct record *record)
{
	const struct vet vet = { arena, rules, words };

	switch (record->kind) {
	case RECORD_USER:
		return vet_user(&vet, &record->user);
	case RECORD_GROUP:
		return vet_group(&vet, &record->group);
	case RECORD_ARTICLE:
		return vet_article(&vet, record);
	case RECORD_KINDS:
		break;
	}
	return TEXT("no record");
}
