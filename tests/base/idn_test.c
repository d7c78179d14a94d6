/* International host names: into ASCII, and back where that is safe to read. */
#include "base/idn.h"

#include "../support/fixture.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

#define TEN(text) text text text text text text text text text text

/* Decoded for display, and the same in both directions. */
static const struct {
	const char *name, *ascii;
} names[] = {
	{ "a.example", "a.example" },
	{ "a_b.example", "a_b.example" },
	{ "127.0.0.1", "127.0.0.1" },
	{ "m\u00fcnchen.example", "xn--mnchen-3ya.example" },
	{ "m\u00fcnchen.example.", "xn--mnchen-3ya.example." },
	{ "a.m\u00fcnchen-24.\u00e4.example",
	    "a.xn--mnchen-24-q9a.xn--4ca.example" },
	{ "fa\u00df.example", "xn--fa-hia.example" },
	{ "t\u01b0\u01a1ng-\u1ec7.example", "xn--tng--lgb3g791x.example" },
	{ "\u0219i.example", "xn--i-nxa.example" },
	/* Russian, Ukrainian */
	{ "\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444",
	    "xn--e1afmkfd.xn--p1ai" },
	{ "\u0457\u0436\u0430\u043a.example", "xn--80aln7i.example" },
	/* Greek, Hebrew, Arabic, Persian */
	{ "\u03c0\u03b1\u03c1\u03ac\u03b4\u03b5\u03b9\u03b3\u03bc\u03b1.example",
	    "xn--hxajbheg2az3al.example" },
	{ "\u05d0\u05d1.example", "xn--4dbc.example" },
	{ "\u0645\u062b\u0627\u0644.example", "xn--mgbh0fb.example" },
	{ "\u0627\u06cc\u0631\u0627\u0646.example", "xn--mgba3a4f16a.example" },
	/* Devanagari, Thai, Georgian */
	{ "\u092d\u093e\u0930\u0924.example", "xn--h2brj9c.example" },
	{ "\u0e44\u0e17\u0e22.example", "xn--o3cw4h.example" },
	{ "\u10d2\u10d4.example", "xn--node.example" },
	/* Han; with kana; with Hangul; with Bopomofo */
	{ "\u4f8b\u5b50.example", "xn--fsqu00a.example" },
	{ "\u4f8b\u3048\u30c6\u30b9\u30c8\u30fc.example",
	    "xn--r8jwmjbj4x798n.example" },
	{ "\u97d3\uad6d.example", "xn--3v5ak93b.example" },
	{ "\u4f8b\u3105.example", "xn--5ekv23g.example" },
};

static struct text
encoded(struct arena *arena, const char *name)
{
	struct text ascii;

	if (!idn_encode(arena, text_of(name), &ascii))
		fail_msg("%s is refused", name);
	return ascii;
}

static void
names_are_the_same_in_both_directions(void **state)
{
	struct arena *arena = *state;

	for (size_t i = 0; i < COUNT(names); i++) {
		assert_text(encoded(arena, names[i].name), names[i].ascii);
		assert_text(encoded(arena, names[i].ascii), names[i].ascii);
		assert_text(
		    idn_display(arena, text_of(names[i].ascii)), names[i].name);
	}
}

static void
spellings_of_one_name_are_equal(void **state)
{
	static const char *const spellings[] = { "M\u00dcNCHEN.Example",
		"mu\u0308nchen.example", "m\u00fcnchen\u3002example",
		"m\u00fcnchen\uff0eexample", "m\u00fcnchen\uff61example",
		"\uff4d\u00fcnchen.example", "m\u00fcn\u00adchen.example",
		"XN--MNCHEN-3YA.EXAMPLE", "xn--mnchen-3ya.example" };
	struct arena *arena = *state;

	for (size_t i = 0; i < COUNT(spellings); i++)
		assert_text(
		    encoded(arena, spellings[i]), "xn--mnchen-3ya.example");
	assert_text(encoded(arena, "\uff11\uff12\uff17.0.0.1"), "127.0.0.1");
}

static void
malformed_names_are_refused(void **state)
{
	static const char *const refused[] = { "", "\u00ad", /* nothing left */
		".\u00e4", "\u00e4..example", "\u00e4\u3002\u3002example",
		"-\u00e4", "\u00e4-", "\uff0da", "ab--\u00e4", "\u2603.example",
		"\U0001f30d.example", "\u00e4 b", "\u00e4%",
		"\uff05\uff14\uff11", "a\uff0fb", "a\uff20b", "a\uff1ab",
		"a\u2100b", "\u0308a", /* a mark without a letter */
		"\u05d0a",	       /* mixed directions */
		"xn--\u00e4", "xn--a", "\u00e4.xn--n3h", "\u00e4\xff",
		"a~b.example" };
	struct arena *arena = *state;
	struct text ascii;

	for (size_t i = 0; i < COUNT(refused); i++)
		if (idn_encode(arena, text_of(refused[i]), &ascii))
			fail_msg("%s is not refused", refused[i]);
	assert_false(idn_encode(arena, TEXT("\u00e4\0b"), &ascii));
}

static void
names_have_a_maximum_length(void **state)
{
	static const char label[] = TEN("aaaaa"); /* 50 letters */
	struct arena *arena = *state;
	struct text ascii, name;

	/* "xn--" and what the umlaut takes: 63 bytes, and one more. */
	name = encoded(arena, TEN("aaaaa") "aaaaa\u00e4");
	assert_int_equal(name.size, 63);
	assert_false(
	    idn_encode(arena, TEXT(TEN("aaaaa") "aaaaaa\u00e4"), &ascii));
	for (int last = 41; last <= 42; last++) {
		name = text_format(arena, "\u00e4.%s.%s.%s.%s.%.*s", label,
		    label, label, label, last, label);
		assert_int_equal(idn_encode(arena, name, &ascii), last == 41);
	}
}

static void
deceptive_names_stay_encoded(void **state)
{
	static const char *const deceiving[] = {
		/* All Cyrillic, and reads as "apple" and as "scope". */
		"\u0430\u0440\u0440\u04cf\u0435",
		"\u0455\u0441\u043e\u0440\u0435",
		"\u0430\u0440\u0440\u04cf\u0435-24",
		"\u043e1",	      /* o1 */
		"\u03b1\u03c1\u03c1", /* app, all Greek */
		"\u0585\u0578",	      /* on, all Armenian */
		"\u0966\u0966",	      /* oo, zeros of Devanagari */
		"\u10d8\u10dd",	      /* io, all Georgian */
		"g\u0131thub",	      /* a dotless i */
		"\u00fe\u0131ng",     /* and a thorn */
		/* More than one script. */
		"p\u0430ypal",
		"\u043f\u0440\u0438m\u0435\u0440",
		"\u03c0\u0430\u03c1\u03ac",
		"m\u00fcnchen\u4f8b",
		"a\u4f8b",
		"\u30c6\u3105",
		"\u30c6\uad6d",
		"\u0905\u0985",
		/* In a script that is not known here, or not visible at all. */
		"l\u00b7l",
		"\u0915\u094d\u200d\u0937",
		"x\u0304",
		"\u0251pple",
		"\u13a0\u13a1",
		"a_\u00e4",
	};
	struct arena *arena = *state;

	for (size_t i = 0; i < COUNT(deceiving); i++) {
		struct text ascii = encoded(arena, deceiving[i]);
		struct text shown = idn_display(arena, ascii);

		if (!text_equal(shown, ascii))
			fail_msg("%s is shown", deceiving[i]);
	}
}

static void
names_not_made_by_encoding_stay(void **state)
{
	static const char *const odd[] = { "", "xn--", "xn--.a", "xn--a",
		"xn--\x7f", "xn--abc-", "xn--n3h.example",
		"xn--Mnchen-3ya", /* hosts are in lower case here */
		"xn--mnchen-3yaaaaaaaaaaa9", "a..b", "a.", ".a", "." };
	struct arena *arena = *state;

	for (size_t i = 0; i < COUNT(odd); i++)
		assert_text(idn_display(arena, text_of(odd[i])), odd[i]);
	assert_text(idn_display(arena, (struct text){ NULL, 0 }), "");
	/* Each label is decided by itself. */
	assert_text(idn_display(arena, TEXT("xn--a.xn--80ak6aa92e.xn--4ca..x")),
	    "xn--a.xn--80ak6aa92e.\u00e4..x");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		fixture_arena_test(names_are_the_same_in_both_directions),
		fixture_arena_test(spellings_of_one_name_are_equal),
		fixture_arena_test(malformed_names_are_refused),
		fixture_arena_test(names_have_a_maximum_length),
		fixture_arena_test(deceptive_names_stay_encoded),
		fixture_arena_test(names_not_made_by_encoding_stay),
	};

	return cmocka_run_group_tests_name("idn", tests, NULL, NULL);
}
