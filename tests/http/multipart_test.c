/* Forms with files, as browsers send them. */
#include "http/multipart.h"

#include "../support/fixture.h"
#include "base/arena.h"
#include "base/buffer.h"

#define TYPE "multipart/form-data; boundary=b"
#define PART(head, value) \
	"--b\r\nContent-Disposition: form-data; " head "\r\n\r\n" value "\r\n"
#define END "--b--\r\n"

struct form {
	struct pairs fields, files;
};

static enum pairs_result
parse(
    struct arena *arena, const char *type, struct text body, struct form *form)
{
	return multipart_parse(
	    arena, text_of(type), body, &form->fields, &form->files);
}

static void
fields_and_files_are_read(void **state)
{
	struct form form;

	/* Chromium, Firefox and curl write it so. */
	assert_int_equal(
	    parse(*state, "Multipart/Form-Data; charset=x; Boundary=\"b\"",
		TEXT(PART("name=\"csrf\"", "ab=%20&") PART("name=\"text\"",
		    "one\r\n--\r\n--a\r\n") "--b\r\ncontent-disposition: FORM-DATA; NAME=file; "
					    "filename=\"a\\b;c=d.png\"\r\nContent-Type: image/png"
					    "\r\n\r\n\0\xff\r\n--\r\n" END),
		&form),
	    PAIRS_VALID);
	assert_int_equal(form.fields.count, 2);
	assert_text(pairs_get(&form.fields, TEXT("csrf")), "ab=%20&");
	assert_text(
	    pairs_get(&form.fields, TEXT("text")), "one\r\n--\r\n--a\r\n");
	assert_int_equal(form.files.count, 1);
	assert_same(pairs_get(&form.files, TEXT("file")), TEXT("\0\xff\r\n--"));
}

static void
empty_forms_and_files_are_read(void **state)
{
	struct form form;

	assert_int_equal(
	    parse(*state, TYPE,
		TEXT(PART("name=\"file\"; filename=\"\"", "") "--b--"), &form),
	    PAIRS_VALID);
	assert_true(pairs_has(&form.files, TEXT("file")));
	assert_text(pairs_get(&form.files, TEXT("file")), "");
	assert_int_equal(parse(*state, TYPE, TEXT(END), &form), PAIRS_VALID);
	assert_int_equal(form.fields.count + form.files.count, 0);
}

#define GOOD PART("name=\"a\"", "1")
#define LONG "0123456789012345678901234567890123456789"

static void
other_bodies_are_refused(void **state)
{
	static const struct {
		const char *type;
		struct text body;
	} bad[] = { { TYPE, TEXT_INIT("") }, { TYPE, TEXT_INIT("--b") },
		{ TYPE, TEXT_INIT(GOOD) }, { TYPE, TEXT_INIT(GOOD "--b-") },
		{ TYPE, TEXT_INIT(GOOD "--bb--") },
		{ TYPE, TEXT_INIT("before\r\n" GOOD END) },
		{ TYPE, TEXT_INIT(GOOD END "after") },
		{ TYPE, TEXT_INIT(GOOD END END) },
		{ TYPE, TEXT_INIT("--b\n\n" END) },
		{ TYPE, TEXT_INIT("--b\r\n\r\n1\r\n" END) },
		{ TYPE,
		    TEXT_INIT("--b\r\nContent-Disposition\r\n\r\n1\r\n" END) },
		{ TYPE, TEXT_INIT("--b\r\nContent-Type: x\r\n\r\n1\r\n" END) },
		{ TYPE,
		    TEXT_INIT("--b\r\nContent-Disposition: form-data; "
			      "name=\"a\"\r\n" END) },
		{ TYPE,
		    TEXT_INIT(
			"--b\r\nContent-Disposition: form-data; name=\"a\"\r\n"
			"Content-Disposition: form-data; name=\"c\"\r\n\r\n"
			"1\r\n" END) },
		{ TYPE,
		    TEXT_INIT("--b\r\nContent-Disposition: attachment; "
			      "name=\"a\"\r\n\r\n1\r\n" END) },
		{ TYPE, TEXT_INIT(PART("name", "1") END) },
		{ TYPE, TEXT_INIT(PART("name=\"a", "1") END) },
		{ TYPE, TEXT_INIT(PART("name=\"a\"x", "1") END) },
		{ TYPE, TEXT_INIT(PART("name=\"a\"; name=\"c\"", "1") END) },
		{ TYPE, TEXT_INIT(PART("filename=\"a\"", "1") END) },
		{ TYPE, TEXT_INIT(PART("name=\"\xff\"", "1") END) },
		{ TYPE, TEXT_INIT(PART("name=\"a\"", "\xff") END) },
		{ "multipart/form-data", TEXT_INIT(GOOD END) },
		{ "multipart/form-data; boundary=", TEXT_INIT(GOOD END) },
		{ "multipart/form-data; boundary=\"b", TEXT_INIT(GOOD END) },
		{ "multipart/form-data; boundary=b; boundary=b",
		    TEXT_INIT(GOOD END) },
		{ "multipart/form-data; boundary=\"b\r\n\"",
		    TEXT_INIT(GOOD END) },
		{ "multipart/form-data; boundary=" LONG LONG,
		    TEXT_INIT("--" LONG LONG "--") } };
	struct form form;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (parse(*state, bad[i].type, bad[i].body, &form) !=
		    PAIRS_MALFORMED)
			fail_msg(
			    "%s: %.*s", bad[i].type, TEXT_ARGS(bad[i].body));
}

static void
name_is_there_once(void **state)
{
	struct form form;

	assert_int_equal(
	    parse(*state, TYPE, TEXT(GOOD GOOD END), &form), PAIRS_REPEATED);
	assert_int_equal(
	    parse(*state, TYPE,
		TEXT(GOOD PART("name=\"a\"; filename=\"x\"", "") END), &form),
	    PAIRS_REPEATED);
}

static void
parts_are_as_many_as_pairs(void **state)
{
	struct buffer body = buffer_in(*state, 100);
	struct form form;

	for (int i = 0; i < PAIRS_MAX; i++)
		buffer_add(
		    &body, text_format(*state, PART("name=\"%d\"", ""), i));
	assert_int_equal(
	    parse(*state, TYPE,
		text_join(*state, buffer_text(&body), TEXT(END)), &form),
	    PAIRS_VALID);
	assert_int_equal(form.fields.count, PAIRS_MAX);
	buffer_add(&body, TEXT(GOOD));
	assert_int_equal(
	    parse(*state, TYPE,
		text_join(*state, buffer_text(&body), TEXT(END)), &form),
	    PAIRS_TOO_MANY);
}

static void
content_type_is_compared_whole(void **state)
{
	(void)state;
	assert_true(multipart_is(TEXT("multipart/form-data; boundary=x")));
	assert_true(multipart_is(TEXT("MULTIPART/FORM-DATA;boundary=x")));
	assert_true(multipart_is(TEXT("multipart/form-data")));
	assert_false(multipart_is(TEXT("")));
	assert_false(multipart_is(TEXT("multipart/form-dataX; boundary=x")));
	assert_false(multipart_is(TEXT("multipart/mixed; boundary=x")));
	assert_false(multipart_is(TEXT("x; multipart/form-data")));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		fixture_arena_test(fields_and_files_are_read),
		fixture_arena_test(empty_forms_and_files_are_read),
		fixture_arena_test(other_bodies_are_refused),
		fixture_arena_test(name_is_there_once),
		fixture_arena_test(parts_are_as_many_as_pairs),
		fixture_arena_test(content_type_is_compared_whole),
	};

	return cmocka_run_group_tests_name("multipart", tests, NULL, NULL);
}
