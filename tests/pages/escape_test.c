/* Escaping: text that people write never becomes HTML. */

#include "../support/browser.h"
#include "base/url.h"
#include "store/session.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* Each would be found unchanged if it was not escaped somewhere. */
static const char *const payloads[] = {
	"<script>alert(1)</script>",
	"\"><img src=x onerror=alert(1)>",
	"' onmouseover='alert(1)",
	"</title></textarea><svg/onload=alert(1)>",
	"{{csrf}}{{{title}}}",
	"<!--<b>-->",
};

static void
check_page(struct browser *browser, const char *target)
{
	browser_get(browser, target);
	for (size_t i = 0; i < COUNT(payloads); i++) {
		if (payloads[i][0] == '{')
			continue;
		assert_lacks(browser, payloads[i]);
	}
	assert_lacks(browser, "<script");
	assert_lacks(browser, "<img");
	assert_lacks(browser, "<svg/");
	assert_lacks(browser, "onmouseover='");
}

/* Replaces each '%' in a format. */
static const char *
fill_in(struct world *world, const char *format, struct text value)
{
	struct buffer filled = buffer_in(&world->arena, 256);
	struct text rest = text_of(format), part;

	while (text_cut(&rest, '%', &part)) {
		buffer_add(&filled, part);
		if (rest.data != NULL)
			buffer_add(&filled, value);
	}
	return text_string(&world->arena, buffer_text(&filled));
}

/* An article and a group for each payload, which is in all of their texts. */
static struct browser
begin(struct world *world)
{
	struct browser ann = browser_open(world);
	struct text cookie;

	ann = browser_member(world, "ann");
	ann.agent = text_of(payloads[0]);
	assert_int_equal(session_start(&world->store, &world->arena, 1,
			     TEXT(""), &world_no_factor, ann.agent, &cookie),
	    STORE_OK);
	browser_set_cookie(&ann, TEXT("tally"), cookie);
	assert_status(browser_get(&ann, "/about"), 200);
	for (size_t i = 0; i < COUNT(payloads); i++) {
		const char *name = text_string(
		    &world->arena, text_format(&world->arena, "group-%zu", i));
		const char *url;

		assert_status(browser_post(&ann, "/groups",
				  FIELDS("name", name, "title", payloads[i])),
		    303);
		assert_status(browser_post(&ann, "/submit",
				  FIELDS("title", payloads[i], "text",
				      payloads[i], "groups", name)),
		    303);
		url =
		    fill_in(world, "http://a.example/%", text_of(payloads[i]));
		assert_status(browser_post(&ann, "/submit",
				  FIELDS("title", payloads[i], "url", url)),
		    303);
	}
	return ann;
}

static void
posts_are_escaped(void **state)
{
	static const char *const targets[] = { "/", "/?order=new", "/groups",
		"/interesting", "/u/ann", "/g/group-0", "/g/group-1+group-2" };
	struct world *world = *state;
	struct browser ann, reader = browser_open(world);
	struct text ids, id;

	world->store.rules.interesting = 1;
	ann = begin(world);
	for (size_t i = 0; i < COUNT(targets); i++) {
		check_page(&ann, targets[i]);
		assert_int_equal(ann.answer.status, 200);
		check_page(&reader, targets[i]);
	}
	assert_status(browser_get(&reader, "/?order=oldest"), 200);
	ids = browser_ids(&reader);
	while (text_next_word(&ids, &id)) {
		const char *target = fill_in(world, "/articles/%", id);

		check_page(&ann, target);
		assert_int_equal(ann.answer.status, 200);
		check_page(&reader, target);
	}
	/* All of it is readable on the page. */
	assert_status(browser_get(&reader, "/?order=oldest"), 200);
	assert_holds(&reader, "&lt;script&gt;alert(1)&lt;/script&gt;</a>");
	assert_holds(&reader, "{{csrf}}{{{title}}}</a>");
}

static void
addresses_are_escaped(void **state)
{
	static const char *const formats[] = { "/?x=%", "/?order=%", "/g/%",
		"/u/%", "/articles/%", "/%", "/submit?title=%",
		"/submit?url=%&text=%&groups=%", "/login?return_to=/%",
		"/login?return_to=%", "/register?return_to=/%", "/groups?x=%" };
	struct world *world = *state;
	struct browser ann = browser_member(world, "ann");
	struct browser reader = browser_open(world);

	for (size_t f = 0; f < COUNT(formats); f++) {
		for (size_t i = 0; i < COUNT(payloads); i++) {
			struct text encoded =
			    url_encode(&world->arena, text_of(payloads[i]));
			const char *target =
			    fill_in(world, formats[f], encoded);

			check_page(&reader, target);
			check_page(&ann, target);
		}
	}
	/* Without URL encoding as well, though no browser sends that. */
	check_page(&reader, "/?x=\"><script>alert(1)</script>");
	check_page(&ann, "/?x=\"><script>alert(1)</script>");
	check_page(&ann, "/g/<script>alert(1)</script>");
}

static void
redisplayed_forms_are_escaped(void **state)
{
	static const char *const targets[] = { "/submit", "/groups",
		"/articles/1/groups" };
	struct world *world = *state;
	struct browser ann = browser_member(world, "ann");

	world_post(world, 1, "First", "http://a.example/", "");
	for (size_t t = 0; t < COUNT(targets); t++) {
		for (size_t i = 0; i < COUNT(payloads); i++) {
			assert_status(
			    browser_post(&ann, targets[t],
				FIELDS("title", payloads[i], "url", payloads[i],
				    "text", payloads[i], "groups", payloads[i],
				    "name", payloads[i], "add", payloads[i],
				    "remove", payloads[i])),
			    422);
			assert_lacks(&ann, "<script>");
			assert_lacks(&ann, "<img");
			assert_lacks(&ann, "<svg/");
			assert_lacks(&ann, "' onmouseover");
		}
	}
	for (size_t i = 0; i < COUNT(payloads); i++) {
		struct browser reader = browser_open(world);

		assert_status(browser_get(&reader, "/login"), 200);
		assert_status(browser_post(&reader, "/login",
				  FIELDS("username", payloads[i], "password",
				      payloads[i], "return_to", payloads[i])),
		    422);
		assert_lacks(&reader, "<script>");
		assert_lacks(&reader, "<img");
		assert_lacks(&reader, "alert(1)</");
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(posts_are_escaped),
		world_test(addresses_are_escaped),
		world_test(redisplayed_forms_are_escaped),
	};

	return world_run("escaping", tests);
}
