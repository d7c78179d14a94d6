#include "store/rules.h"

#include <string.h>

#include "base/arena.h"
#include "base/crypto.h"
#include "base/password.h"
#include "base/url.h"
#include "base/utf8.h"

static const struct text good = { NULL, 0 };

static struct text
too_long(struct arena *arena, const char *what, int most, size_t length)
{
	return text_format(arena,
	    "%s has at most %d characters; this one has %zu.", what, most,
	    length);
}

/* What is shown on one line: of an article or a group. */
static struct text
check_title(struct arena *arena, struct text *title, struct text missing)
{
	bool refused;

	*title = text_trim(utf8_clean(arena, *title, UTF8_ONE_LINE, &refused));
	if (refused)
		return TEXT("The title held control or text direction "
			    "characters. They were taken out: look at it, and "
			    "send it again.");
	if (!utf8_visible(*title))
		return missing;
	if (utf8_length(*title) > RULE_TITLE_MAX)
		return too_long(
		    arena, "A title", RULE_TITLE_MAX, utf8_length(*title));
	return good;
}

struct text
rule_title(struct arena *arena, struct text *title)
{
	return check_title(arena, title, TEXT("An article needs a title."));
}

struct text
rule_group_title(struct arena *arena, struct text *title)
{
	return check_title(arena, title, TEXT("A group needs a title."));
}

struct text
rule_link(struct arena *arena, struct text *link)
{
	struct text encoded;

	*link = text_trim(*link);
	if (link->size == 0)
		return good;
	if (link->size > RULE_LINK_MAX)
		return too_long(arena, "A link", RULE_LINK_MAX, link->size);
	switch (url_check(arena, *link, &encoded)) {
	case URL_GOOD:
		break;
	case URL_OTHER_SCHEME:
		return TEXT("A link begins with http:// or https://.");
	case URL_WITH_USER_INFO:
		return TEXT("A link must not hold a user name or password.");
	case URL_MALFORMED:
		return TEXT("This is not a link: one looks like "
			    "https://example.org/page.");
	}
	if (encoded.size > RULE_LINK_MAX)
		return too_long(arena,
		    "A link, with its special characters "
		    "encoded,",
		    RULE_LINK_MAX, encoded.size);
	*link = encoded;
	return good;
}

struct text
rule_body(struct arena *arena, struct text *body)
{
	bool refused;

	*body = text_trim(utf8_clean(arena, *body, UTF8_MANY_LINES, &refused));
	if (refused)
		return TEXT("The text held control or text direction "
			    "characters. They were taken out: look at it, and "
			    "send it again.");
	if (body->size > 0 && !utf8_visible(*body))
		return TEXT("The text has nothing in it that can be seen.");
	if (utf8_length(*body) > RULE_TEXT_MAX)
		return too_long(
		    arena, "A text", RULE_TEXT_MAX, utf8_length(*body));
	return good;
}

static bool
is_made_of(struct text name, const char *marks, bool capitals)
{
	for (size_t i = 0; i < name.size; i++) {
		char c = name.data[i];
		bool allowed = (c >= 'a' && c <= 'z') ||
		    (c >= '0' && c <= '9') ||
		    (capitals && c >= 'A' && c <= 'Z') ||
		    (c != '\0' && strchr(marks, c) != NULL);

		if (!allowed)
			return false;
	}
	return true;
}

static bool
is_group_name(struct text name)
{
	return name.size >= RULE_GROUP_NAME_MIN &&
	    name.size <= RULE_GROUP_NAME_MAX && is_made_of(name, "-", false);
}

struct text
rule_group_name(struct arena *arena, struct text *name)
{
	(void)arena;
	*name = text_trim(*name);
	if (!is_group_name(*name))
		return TEXT("A group's name has 2 to 32 characters: small "
			    "letters a to z, digits and '-'.");
	return good;
}

static bool
has_word(struct text words, struct text wanted)
{
	struct text word;

	while (text_word(&words, &word))
		if (text_equal(word, wanted))
			return true;
	return false;
}

struct text
rule_groups(struct arena *arena, struct text *groups)
{
	struct text rest = *groups, word, names = { "", 0 };
	int count = 0;

	while (text_word(&rest, &word)) {
		if (!is_group_name(word))
			return text_format(arena,
			    "\"%.*s\" is not the name of a group: those have 2 "
			    "to 32 characters, small letters a to z, digits "
			    "and '-'.",
			    TEXT_ARGS(word));
		if (has_word(names, word))
			continue;
		if (++count > RULE_GROUPS_MAX)
			return text_format(arena,
			    "An article is in at most %d groups.",
			    RULE_GROUPS_MAX);
		names = text_format(arena, "%.*s%s%.*s", TEXT_ARGS(names),
		    names.size > 0 ? " " : "", TEXT_ARGS(word));
	}
	*groups = names;
	return good;
}

struct text
rule_user_name(struct arena *arena, struct text *name)
{
	(void)arena;
	*name = text_trim(*name);
	if (name->size < RULE_USER_NAME_MIN ||
	    name->size > RULE_USER_NAME_MAX || !is_made_of(*name, "_-", true))
		return TEXT("A user name has 2 to 20 characters: letters a to "
			    "z, digits, '-' and '_'.");
	return good;
}

struct text
rule_new_password(struct arena *arena, struct text *password)
{
	if (password->size < RULE_PASSWORD_MIN)
		return text_format(arena,
		    "A password has at least %d characters.",
		    RULE_PASSWORD_MIN);
	if (password->size > RULE_PASSWORD_MAX)
		return text_format(arena,
		    "A password has at most %d bytes; this one has %zu.",
		    RULE_PASSWORD_MAX, password->size);
	if (password_is_common(*password))
		return TEXT("That is one of the first passwords that anybody "
			    "would try: choose one that is harder to guess.");
	return good;
}

struct text
rule_given_name(struct arena *arena, struct text *name)
{
	(void)arena;
	*name = text_trim(*name);
	return name->size > 0 ? good : TEXT("Your user name is missing.");
}

struct text
rule_given_password(struct arena *arena, struct text *password)
{
	(void)arena;
	return password->size > 0 ? good : TEXT("Your password is missing.");
}

int64_t
rule_score(const struct rules *rules, int64_t posted, int64_t up, int64_t down)
{
	return posted + rules->vote_score * (up - down);
}

struct text
rule_claim(struct arena *arena, uint64_t author, struct text title,
    struct text url, struct text text)
{
	struct text claimed = url;

	/* No link begins with a digit, so the two kinds never meet; lengths
	 * keep a title and a text apart from others that join the same way. */
	if (url.size == 0)
		claimed = text_format(arena, "%llu %zu %.*s%.*s",
		    (unsigned long long)author, title.size, TEXT_ARGS(title),
		    TEXT_ARGS(text));
	return text_slice(crypto_sha256_hex(arena, claimed), 0, 32);
}
