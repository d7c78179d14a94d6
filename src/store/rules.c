#include "store/rules.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/crypto.h"
#include "base/password.h"
#include "base/png.h"
#include "base/url.h"
#include "base/utf8.h"
#include "base/words.h"

static const struct problem good = { .kind = PROBLEM_NONE };

static struct problem
problem_of(enum problem_kind kind)
{
	return (struct problem){ .kind = kind };
}

static struct problem
too_long(enum problem_kind kind, size_t length)
{
	return (struct problem){ .kind = kind, .length = length };
}

/* Checks a cleaned text. Invisible characters are reported last: dumps may have them, where
 * they are accepted. */
static struct problem
check_cleaned(struct text text, enum utf8_removed removed,
    enum problem_kind missing, enum problem_kind longer, size_t max)
{
	if (removed == UTF8_DECEPTIVE)
		return problem_of(PROBLEM_CHARACTERS_DECEPTIVE);
	if (missing != PROBLEM_NONE && !utf8_visible(text))
		return problem_of(missing);
	if (utf8_length(text) > max)
		return too_long(longer, utf8_length(text));
	return removed == UTF8_INVISIBLE ? problem_of(PROBLEM_CHARACTERS_UNSEEN)
					 : good;
}

/* Cleans and checks a text of one line; it may be empty if missing is PROBLEM_NONE. */
static struct problem
check_one_line(struct arena *arena, struct text *line,
    enum problem_kind missing, enum problem_kind longer, size_t max)
{
	enum utf8_removed removed;

	*line = text_trim(utf8_clean(arena, *line, UTF8_ONE_LINE, &removed));
	return check_cleaned(*line, removed, missing, longer, max);
}

/* Cleans and checks a text of several lines. unseen is the problem with a text that has no
 * visible character, missing with an empty one. */
static struct problem
check_lines(struct arena *arena, struct text *lines, enum problem_kind unseen,
    enum problem_kind missing, size_t max)
{
	enum utf8_removed removed;

	*lines =
	    text_trim(utf8_clean(arena, *lines, UTF8_MANY_LINES, &removed));
	return check_cleaned(*lines, removed,
	    lines->size > 0 ? unseen : missing, PROBLEM_TEXT_TOO_LONG, max);
}

/* Checks the title of an article or a group. */
static struct problem
check_title(struct arena *arena, struct text *title, enum problem_kind missing)
{
	return check_one_line(
	    arena, title, missing, PROBLEM_TITLE_TOO_LONG, RULE_TITLE_MAX);
}

struct problem
rule_site_name(struct arena *arena, struct text *name)
{
	return check_one_line(arena, name, PROBLEM_SITE_NAME_MISSING,
	    PROBLEM_SITE_NAME_TOO_LONG, RULE_SITE_NAME_MAX);
}

struct problem
rule_line(struct arena *arena, struct text *line)
{
	return check_one_line(
	    arena, line, PROBLEM_NONE, PROBLEM_LINE_TOO_LONG, RULE_TITLE_MAX);
}

struct problem
rule_style(struct arena *arena, struct text *style)
{
	return check_lines(
	    arena, style, PROBLEM_NONE, PROBLEM_NONE, RULE_TEXT_MAX);
}

struct problem
rule_image(struct arena *arena, struct text *file)
{
	struct png png;
	uint32_t side;

	if (file->size == 0)
		return problem_of(PROBLEM_IMAGE_MISSING);
	if (file->size > RULE_IMAGE_MAX)
		return too_long(PROBLEM_IMAGE_TOO_LONG, file->size);
	if (!png_read(arena, *file, &png))
		return problem_of(PROBLEM_IMAGE_FORMAT);
	side = png.width > png.height ? png.width : png.height;
	if (side > RULE_IMAGE_SIDE_MAX)
		return too_long(PROBLEM_IMAGE_TOO_WIDE, side);
	*file = png.bytes;
	return good;
}

/* The last word is the link. */
bool
rule_foot_link(struct text *lines, struct text *label, struct text *link)
{
	struct text line = TEXT("");
	size_t end;

	while (line.size == 0) {
		if (!text_cut(lines, '\n', &line))
			return false;
		line = text_trim(line);
	}
	for (end = line.size; end > 0 && !text_is_space(line.data[end - 1]);)
		end--;
	*label = text_trim(text_slice(line, 0, end));
	*link = text_slice(line, end, line.size);
	return true;
}

static struct problem
check_foot_link(struct arena *arena, struct text *label, struct text *link)
{
	const struct problem wrong = { .kind = PROBLEM_FOOT_LINK,
		.word = text_trim(text_format(
		    arena, "%.*s %.*s", TEXT_ARGS(*label), TEXT_ARGS(*link))) };

	if (label->size == 0 || rule_link(arena, link).kind != PROBLEM_NONE)
		return wrong;
	return check_one_line(arena, label, PROBLEM_FOOT_LINK,
	    PROBLEM_FOOT_LABEL_TOO_LONG, RULE_FOOT_LABEL_MAX);
}

struct problem
rule_foot_links(struct arena *arena, struct text *lines)
{
	struct problem problem = check_lines(
	    arena, lines, PROBLEM_NONE, PROBLEM_NONE, RULE_TEXT_MAX);
	struct text rest = *lines, label, link, links = TEXT("");

	for (int i = 0; problem.kind == PROBLEM_NONE; i++) {
		if (!rule_foot_link(&rest, &label, &link)) {
			*lines = links;
			return good;
		}
		if (i == RULE_FOOT_LINKS_MAX)
			return problem_of(PROBLEM_FOOT_LINKS_TOO_MANY);
		problem = check_foot_link(arena, &label, &link);
		links = text_format(arena, "%.*s%s%.*s %.*s", TEXT_ARGS(links),
		    i > 0 ? "\n" : "", TEXT_ARGS(label), TEXT_ARGS(link));
	}
	return problem;
}

static struct problem
check_choice(struct text word, const struct text *words, size_t count)
{
	size_t index;

	return text_index(word, words, count, &index)
	    ? good
	    : problem_of(PROBLEM_CHOICE);
}

struct problem
rule_registration(struct arena *arena, struct text *word)
{
	static const struct text words[] = { TEXT_INIT(RULE_REGISTRATION_OPEN),
		TEXT_INIT(RULE_REGISTRATION_INVITE),
		TEXT_INIT(RULE_REGISTRATION_APPLY),
		TEXT_INIT(RULE_REGISTRATION_CLOSED) };

	(void)arena;
	return check_choice(*word, words, sizeof(words) / sizeof(words[0]));
}

struct problem
rule_group_creation(struct arena *arena, struct text *word)
{
	static const struct text words[] = { TEXT_INIT(RULE_GROUPS_BY_MEMBERS),
		TEXT_INIT(RULE_GROUPS_BY_MODERATORS) };

	(void)arena;
	return check_choice(*word, words, 2);
}

struct problem
rule_voting(struct arena *arena, struct text *word)
{
	static const struct text words[] = { TEXT_INIT(RULE_VOTING_IMMEDIATE),
		TEXT_INIT(RULE_VOTING_HOUR), TEXT_INIT(RULE_VOTING_DAY),
		TEXT_INIT(RULE_VOTING_VOUCHED) };

	(void)arena;
	if (word->size == 0)
		*word = words[0];
	return check_choice(*word, words, 4);
}

struct problem
rule_log_names(struct arena *arena, struct text *word)
{
	static const struct text words[] = { TEXT_INIT(RULE_LOG_NAMED),
		TEXT_INIT(RULE_LOG_UNNAMED) };

	(void)arena;
	if (word->size == 0)
		*word = words[0];
	return check_choice(*word, words, 2);
}

struct problem
rule_language(struct arena *arena, struct text *tag)
{
	(void)arena;
	for (size_t i = 0; i < tag->size; i++)
		if (tag->size > RULE_LANGUAGE_MAX ||
		    (!isalpha((unsigned char)tag->data[i]) &&
			tag->data[i] != '-'))
			return (struct problem){ .kind = PROBLEM_CHOICE };
	return (struct problem){ .kind = PROBLEM_NONE };
}

struct problem
rule_front_order(struct arena *arena, struct text *word)
{
	static const struct text words[] = { TEXT_INIT(""),
		TEXT_INIT(RULE_FRONT_NEW), TEXT_INIT(RULE_FRONT_ACTIVE),
		TEXT_INIT(RULE_FRONT_HOT) };

	(void)arena;
	if (text_equal(*word, TEXT(RULE_FRONT_TOP)))
		*word = words[0];
	return check_choice(*word, words, sizeof(words) / sizeof(words[0]));
}

struct problem
rule_overlooked(struct arena *arena, struct text *word)
{
	static const struct text words[] = { TEXT_INIT(""),
		TEXT_INIT(RULE_OVERLOOKED_OFF) };

	(void)arena;
	if (text_equal(*word, TEXT(RULE_OVERLOOKED_ON)))
		*word = words[0];
	return check_choice(*word, words, sizeof(words) / sizeof(words[0]));
}

struct problem
rule_hold_first(struct arena *arena, struct text *word)
{
	static const struct text words[] = { TEXT_INIT(""),
		TEXT_INIT(RULE_HOLD_ON) };

	(void)arena;
	if (text_equal(*word, TEXT(RULE_HOLD_OFF)))
		*word = words[0];
	return check_choice(*word, words, sizeof(words) / sizeof(words[0]));
}

struct problem
rule_moderator_factor(struct arena *arena, struct text *word)
{
	static const struct text words[] = { TEXT_INIT(""),
		TEXT_INIT(RULE_FACTOR_REQUIRED) };

	(void)arena;
	if (text_equal(*word, TEXT(RULE_FACTOR_OPTIONAL)))
		*word = words[0];
	return check_choice(*word, words, sizeof(words) / sizeof(words[0]));
}

struct problem
rule_reason(struct arena *arena, struct text *reason)
{
	return rule_line(arena, reason);
}

struct problem
rule_member_note(struct arena *arena, struct text *note)
{
	return check_one_line(arena, note, PROBLEM_TEXT_MISSING,
	    PROBLEM_LINE_TOO_LONG, RULE_NOTE_MAX);
}

static struct problem
check_number(struct text *value, uint64_t max, enum problem_kind kind)
{
	uint64_t number;

	*value = text_trim(*value);
	return value->size == 0 ||
		(text_to_u64(*value, &number) && number >= 1 && number <= max)
	    ? good
	    : problem_of(kind);
}

struct problem
rule_interesting(struct arena *arena, struct text *votes)
{
	(void)arena;
	return check_number(
	    votes, RULE_INTERESTING_VOTES_MAX, PROBLEM_INTERESTING);
}

struct problem
rule_votes_choice(struct arena *arena, struct text *votes)
{
	static const struct text words[] = { TEXT_INIT("5"), TEXT_INIT("20"),
		TEXT_INIT("50"), TEXT_INIT("200"),
		TEXT_INIT(RULE_VOTES_OTHER) };

	(void)arena;
	return votes->size == 0 ? good : check_choice(*votes, words, 5);
}

struct problem
rule_votes_number(struct arena *arena, struct text *votes)
{
	(void)arena;
	return check_number(votes, RULE_VOTES_A_DAY_MAX, PROBLEM_VOTES_A_DAY);
}

/* A number from 0; may be empty. Zeros before it are left out. */
static struct problem
check_small_number(struct arena *arena, struct text *value, uint64_t max)
{
	uint64_t number;

	*value = text_trim(*value);
	if (value->size == 0)
		return good;
	if (!text_to_u64(*value, &number) || number > max)
		return too_long(PROBLEM_NUMBER, max);
	*value = text_number(arena, (int64_t)number);
	return good;
}

struct problem
rule_newcomer_days(struct arena *arena, struct text *days)
{
	return check_small_number(arena, days, RULE_NEWCOMER_DAYS_MAX);
}

struct problem
rule_newcomer_votes(struct arena *arena, struct text *votes)
{
	return check_small_number(arena, votes, RULE_NEWCOMER_VOTES_MAX);
}

struct problem
rule_score_hours(struct arena *arena, struct text *hours)
{
	return check_small_number(arena, hours, RULE_SCORE_HOURS_MAX);
}

struct problem
rule_fold_flags(struct arena *arena, struct text *flags)
{
	return check_small_number(arena, flags, RULE_FOLD_FLAGS_MAX);
}

struct problem
rule_newcomer_posts(struct arena *arena, struct text *posts)
{
	return check_small_number(arena, posts, RULE_NEWCOMER_POSTS_MAX);
}

struct problem
rule_days(struct arena *arena, struct text *days)
{
	enum { MAX = 3650 };
	uint64_t number;

	(void)arena;
	*days = text_trim(*days);
	return days->size == 0 || (text_to_u64(*days, &number) && number <= MAX)
	    ? good
	    : problem_of(PROBLEM_DAYS);
}

struct problem
rule_host(struct arena *arena, struct text *host)
{
	struct text link = text_trim(*host), encoded;

	/* url_check takes "192.0.2.1" for a link only with a scheme. */
	if (link.size > 0 && text_find(link, 0, TEXT("://")) == SIZE_MAX)
		link = text_join(arena, TEXT("http://"), link);
	if (link.size == 0 || link.size > RULE_LINK_MAX ||
	    url_check(arena, link, &encoded) != URL_VALID)
		return problem_of(PROBLEM_HOST);
	*host = url_host_name(arena, encoded);
	return host->size > 0 ? good : problem_of(PROBLEM_HOST);
}

struct problem
rule_shared_hosts(struct arena *arena, struct text *hosts)
{
	struct text rest = *hosts, word, words = { "", 0 };
	int count = 0;

	while (text_next_word(&rest, &word)) {
		struct text host = word;

		if (rule_host(arena, &host).kind != PROBLEM_NONE)
			return (struct problem){ .kind = PROBLEM_SHARED_HOST,
				.word = word };
		if (text_has_word(words, host))
			continue;
		if (++count > RULE_SHARED_HOSTS_MAX)
			return problem_of(PROBLEM_SHARED_HOSTS_TOO_MANY);
		words = text_format(arena, "%.*s%s%.*s", TEXT_ARGS(words),
		    words.size > 0 ? " " : "", TEXT_ARGS(host));
	}
	*hosts = words;
	return good;
}

struct problem
rule_title(struct arena *arena, struct text *title)
{
	return check_title(arena, title, PROBLEM_TITLE_MISSING);
}

struct problem
rule_group_title(struct arena *arena, struct text *title)
{
	return check_title(arena, title, PROBLEM_GROUP_TITLE_MISSING);
}

struct problem
rule_link(struct arena *arena, struct text *link)
{
	static const enum problem_kind kinds[] = {
		[URL_MALFORMED] = PROBLEM_LINK_MALFORMED,
		[URL_OTHER_SCHEME] = PROBLEM_LINK_SCHEME,
		[URL_WITH_USER_INFO] = PROBLEM_LINK_USER_INFO,
	};
	struct text encoded;
	enum url_result verdict;

	*link = text_trim(*link);
	if (link->size == 0)
		return good;
	if (link->size > RULE_LINK_MAX)
		return too_long(PROBLEM_LINK_TOO_LONG, link->size);
	verdict = url_check(arena, *link, &encoded);
	if (verdict != URL_VALID)
		return problem_of(kinds[verdict]);
	if (encoded.size > RULE_LINK_MAX)
		return too_long(PROBLEM_LINK_ENCODED_TOO_LONG, encoded.size);
	*link = encoded;
	return good;
}

struct problem
rule_body(struct arena *arena, struct text *body)
{
	return check_lines(
	    arena, body, PROBLEM_TEXT_UNSEEN, PROBLEM_NONE, RULE_TEXT_MAX);
}

struct problem
rule_group_text(struct arena *arena, struct text *text)
{
	return check_lines(arena, text, PROBLEM_TEXT_UNSEEN, PROBLEM_NONE,
	    RULE_GROUP_TEXT_MAX);
}

struct problem
rule_user_about(struct arena *arena, struct text *text)
{
	return check_lines(arena, text, PROBLEM_TEXT_UNSEEN, PROBLEM_NONE,
	    RULE_USER_ABOUT_MAX);
}

struct problem
rule_comment(struct arena *arena, struct text *text)
{
	return check_lines(arena, text, PROBLEM_TEXT_MISSING,
	    PROBLEM_TEXT_MISSING, RULE_COMMENT_MAX);
}

struct problem
rule_answer(struct arena *arena, struct text *text)
{
	return check_lines(arena, text, PROBLEM_TEXT_MISSING,
	    PROBLEM_TEXT_MISSING, RULE_ANSWER_MAX);
}

#define LOWERCASE "abcdefghijklmnopqrstuvwxyz"
#define UPPERCASE "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS	  "0123456789"

static bool
is_name(struct text name, size_t min, size_t max, struct text characters)
{
	for (size_t i = 0; i < name.size; i++)
		if (memchr(characters.data, name.data[i], characters.size) ==
		    NULL)
			return false;
	return name.size >= min && name.size <= max;
}

static bool
is_group_name(struct text name)
{
	return is_name(name, RULE_GROUP_NAME_MIN, RULE_GROUP_NAME_MAX,
	    TEXT(LOWERCASE DIGITS "-"));
}

struct problem
rule_group_name(struct arena *arena, struct text *name)
{
	(void)arena;
	*name = text_trim(*name);
	return is_group_name(*name) ? good : problem_of(PROBLEM_GROUP_NAME);
}

struct text
rule_plain_groups(struct arena *arena, struct text words)
{
	struct text plain = text_lower(arena, words), part, joined = TEXT("");

	while (text_cut(&plain, ',', &part))
		joined = text_format(
		    arena, "%.*s%.*s ", TEXT_ARGS(joined), TEXT_ARGS(part));
	return text_trim(joined);
}

struct problem
rule_groups(struct arena *arena, struct text *groups)
{
	struct text rest = rule_plain_groups(arena, *groups), word;
	struct text names = { "", 0 };
	int count = 0;

	while (text_next_word(&rest, &word)) {
		if (!is_group_name(word))
			return (struct problem){ .kind = PROBLEM_GROUPS_NAME,
				.word = word };
		if (text_has_word(names, word))
			continue;
		if (++count > RULE_GROUPS_MAX)
			return problem_of(PROBLEM_GROUPS_TOO_MANY);
		names = text_format(arena, "%.*s%s%.*s", TEXT_ARGS(names),
		    names.size > 0 ? " " : "", TEXT_ARGS(word));
	}
	*groups = names;
	return good;
}

struct problem
rule_user_name(struct arena *arena, struct text *name)
{
	(void)arena;
	*name = text_trim(*name);
	return is_name(*name, RULE_USER_NAME_MIN, RULE_USER_NAME_MAX,
		   TEXT(LOWERCASE UPPERCASE DIGITS "_-"))
	    ? good
	    : problem_of(PROBLEM_USER_NAME);
}

static struct problem
check_password_length(struct text password)
{
	if (password.size < RULE_PASSWORD_MIN)
		return problem_of(PROBLEM_PASSWORD_TOO_SHORT);
	if (password.size > RULE_PASSWORD_MAX)
		return too_long(PROBLEM_PASSWORD_TOO_LONG, password.size);
	return good;
}

struct problem
rule_new_user_name(struct arena *arena, struct text *name)
{
	struct problem problem = rule_user_name(arena, name);

	if (problem.kind == PROBLEM_NONE &&
	    text_starts(text_lower(arena, *name), TEXT(RULE_CLOSED_NAME)))
		problem = problem_of(PROBLEM_USER_NAME_TAKEN);
	return problem;
}

struct problem
rule_password_length(struct arena *arena, struct text *password)
{
	(void)arena;
	return check_password_length(*password);
}

struct problem
rule_new_password(struct text password, const struct password_context *context)
{
	const struct text names[] = { context->user, context->site };
	struct problem problem = check_password_length(password);

	if (problem.kind != PROBLEM_NONE)
		return problem;
	if (password_is_common(password, names, 2))
		return problem_of(PROBLEM_PASSWORD_COMMON);
	if (password_is_breached(context->breached, password))
		return problem_of(PROBLEM_PASSWORD_BREACHED);
	return good;
}

struct problem
rule_given_name(struct arena *arena, struct text *name)
{
	(void)arena;
	*name = text_trim(*name);
	return name->size > 0 ? good : problem_of(PROBLEM_USER_NAME_MISSING);
}

struct problem
rule_given_password(struct arena *arena, struct text *password)
{
	(void)arena;
	return password->size > 0 ? good : problem_of(PROBLEM_PASSWORD_MISSING);
}

struct problem
rule_given_code(struct arena *arena, struct text *code)
{
	char *plain = arena_bytes(arena, code->size);
	size_t size = 0;

	for (size_t i = 0; i < code->size; i++) {
		char c = code->data[i];

		if (c == ' ' || c == '-')
			continue;
		plain[size++] =
		    (char)(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
	}
	*code = (struct text){ plain, size };
	return size > 0 ? good : problem_of(PROBLEM_CODE_MISSING);
}

enum { DAY = 86400 };

int64_t
rule_votes_a_day(int64_t vote_score)
{
	return vote_score >= DAY ? 1 : DAY / vote_score;
}

int64_t
rule_vote_score(int64_t votes_a_day)
{
	return votes_a_day >= DAY ? 1 : DAY / votes_a_day;
}

int64_t
rule_interesting_threshold(const struct rules *rules)
{
	return rules->stored_interesting > 0 ? rules->stored_interesting
					     : rules->interesting;
}

int64_t
rule_score(int64_t vote_score, int64_t posted, int64_t up, int64_t down)
{
	return posted + vote_score * (up - down);
}

/* The parts of the formula in rules.h. */
static const double HOT_POWER = 0.8, HOT_DELAY = 2 * 3600.0;

static double
hot(double votes, double age, double gravity)
{
	return votes <= 0
	    ? 0
	    : pow(votes, HOT_POWER) / pow((age + HOT_DELAY) / 3600, gravity);
}

double
rule_hot(int64_t points, int64_t age, int64_t gravity)
{
	return hot((double)points - 1, age > 0 ? (double)age : 0,
	    (double)gravity / 10);
}

/*
 * With the age x and the worth of a vote w, the votes are (a + x) / w, where a is the score less
 * w and the present moment. The derivative of ((a + x) / w)^0.8 / (x + 7200)^gravity has one
 * zero, before which the function rises and after which it falls.
 */
double
rule_hot_most(int64_t vote_score, int64_t score, int64_t posted, int64_t now,
    int64_t gravity)
{
	double power = (double)gravity / 10, w = (double)vote_score;
	double a = (double)(score - now) - w;
	double peak = (HOT_POWER * HOT_DELAY - power * a) / (power - HOT_POWER);
	double least = now > posted ? (double)(now - posted) : 0;
	double age = peak > least ? peak : least;

	return hot((a + age) / w, age, power);
}

struct text
rule_gravity_text(struct arena *arena, int64_t gravity)
{
	return text_format(arena, "%lld.%lld", (long long)(gravity / 10),
	    (long long)(gravity % 10));
}

int64_t
rule_gravity_of(struct text gravity)
{
	int64_t whole, tenths;

	if (gravity.size != 3 || gravity.data[1] != '.' ||
	    !text_to_i64(text_slice(gravity, 0, 1), &whole) ||
	    !text_to_i64(text_slice(gravity, 2, 3), &tenths))
		return 0;
	whole = whole * 10 + tenths;
	return whole >= RULE_GRAVITY_MIN && whole <= RULE_GRAVITY_MAX ? whole
								      : 0;
}

struct problem
rule_gravity(struct arena *arena, struct text *value)
{
	(void)arena;
	return (struct problem){ .kind = rule_gravity_of(*value) != 0
		    ? PROBLEM_NONE
		    : PROBLEM_CHOICE };
}

/* 96 bits: collisions are negligible. */
enum { CLAIM_SIZE = 16 };

struct text
rule_claim(struct arena *arena, uint64_t author, struct text title,
    struct text url, struct text text)
{
	struct text claimed;

	/* A canonical link has no space, so the two forms never coincide. The
	 * title's length separates titles and texts that are equal when
	 * joined. */
	if (url.size > 0)
		claimed = url_canonical(arena, url);
	else
		claimed = text_format(arena, "%llu %zu %.*s%.*s",
		    (unsigned long long)author, title.size, TEXT_ARGS(title),
		    TEXT_ARGS(text));
	return text_slice(crypto_digest_base64(arena, claimed), 0, CLAIM_SIZE);
}

struct problem
rule_hidden_words(struct arena *arena, struct text *line)
{
	struct problem problem =
	    check_one_line(arena, line, PROBLEM_HIDDEN_WORDS,
		PROBLEM_HIDDEN_WORDS_TOO_LONG, RULE_HIDDEN_MAX);
	struct words words;
	struct word word;

	words_begin(&words, *line);
	if (problem.kind == PROBLEM_NONE && !words_next(&words, &word))
		return problem_of(PROBLEM_HIDDEN_WORDS);
	return problem;
}
