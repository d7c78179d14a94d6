/* Notes of moderators on members: who writes, sees and deletes them, and how many there are. */
#include "../support/browser.h"
#include "../support/commands.h"
#include "store/account_status.h"
#include "store/close_account.h"
#include "store/member_note.h"
#include "store/network.h"

#define PASSWORD "kettle drum 4711"

/* Ann and bob, two moderators and an owner. */
struct scene {
	struct world *world;
	struct browser ann, bob, mod, other, owner;
};

static struct scene
begin(struct world *world)
{
	struct browser_scene two = browser_scene(world);

	return (struct scene){ .world = world,
		.ann = two.ann,
		.bob = two.bob,
		.mod = browser_moderator(world, "mod"),
		.other = browser_moderator(world, "other"),
		.owner = browser_owner(world, "olga") };
}

static enum http_status
write_note(struct browser *browser, const char *text)
{
	return browser_post(browser, "/u/ann/note", FIELDS("text", text));
}

static void
moderators_write_notes_for_each_other(void **state)
{
	struct scene scene = begin(*state);

	assert_status(write_note(&scene.mod, " Knows <b>ropes</b>. "), 303);
	assert_text(scene.mod.answer.location, "/u/ann/suspend#notes");
	/* Sent twice it is there once. */
	assert_status(write_note(&scene.mod, "Knows <b>ropes</b>."), 303);
	assert_status(write_note(&scene.other, "Argues."), 303);
	assert_status(browser_get(&scene.owner, "/u/ann/suspend"), 200);
	assert_int_equal(browser_count(&scene.owner, "<bdi dir=\"auto\">"), 2);
	assert_holds(&scene.owner, "Knows &lt;b&gt;ropes&lt;/b&gt;.");
	assert_holds(&scene.owner, "<a href=\"/u/other\"><bdi>other</bdi></a>");
	/* Nobody else sees or writes one. */
	assert_status(browser_get(&scene.ann, "/u/ann"), 200);
	assert_lacks(&scene.ann, "Argues.");
	assert_status(browser_get(&scene.mod, "/u/ann"), 200);
	assert_lacks(&scene.mod, "Argues.");
	assert_status(browser_get(&scene.ann, "/u/ann/suspend"), 403);
	assert_status(write_note(&scene.ann, "Mine."), 403);
	assert_status(browser_get(&scene.ann, "/settings"), 200);
	assert_status(browser_post(&scene.ann, "/settings/export", NULL), 200);
	assert_lacks(&scene.ann, "Argues.");
}

static void
notes_are_deleted_by_their_author_and_owners(void **state)
{
	struct scene scene = begin(*state);
	const char *id;

	assert_status(write_note(&scene.mod, "Knows ropes."), 303);
	assert_status(browser_get(&scene.other, "/u/ann/suspend"), 200);
	assert_lacks(&scene.other, "Delete the note");
	assert_status(browser_get(&scene.mod, "/u/ann/suspend"), 200);
	assert_holds(
	    &scene.mod, "aria-label=\"Delete the note: Knows ropes.\"");
	id = text_string(
	    &scene.world->arena, browser_field(&scene.mod, "delete"));
	assert_status(
	    browser_post(&scene.other, "/u/ann/note", FIELDS("delete", id)),
	    403);
	for (int i = 0; i < 2; i++)
		assert_status(browser_post(i == 0 ? &scene.mod : &scene.owner,
				  "/u/ann/note", FIELDS("delete", id)),
		    303);
	assert_status(browser_get(&scene.mod, "/u/ann/suspend"), 200);
	assert_lacks(&scene.mod, "Knows ropes.");
	assert_status(write_note(&scene.mod, "Again."), 303);
	assert_status(browser_get(&scene.owner, "/u/ann/suspend"), 200);
	assert_status(browser_post(&scene.owner, "/u/ann/note",
			  FIELDS("delete",
			      text_string(&scene.world->arena,
				  browser_field(&scene.owner, "delete")))),
	    303);
	assert_status(browser_get(&scene.owner, "/u/ann/suspend"), 200);
	assert_lacks(&scene.owner, "Again.");
}

static void
notes_are_bounded(void **state)
{
	struct scene scene = begin(*state);
	struct arena *arena = &scene.world->arena;
	char long_note[RULE_NOTE_MAX + 2] = { 0 };

	assert_status(write_note(&scene.mod, ""), 422);
	for (size_t i = 0; i <= RULE_NOTE_MAX; i++)
		long_note[i] = 'x';
	assert_status(write_note(&scene.mod, long_note), 422);
	for (int i = 0; i < MEMBER_NOTES_MAX; i++)
		assert_int_equal(member_note_add(&scene.world->store, arena, 1,
				     &(struct member_note){ .by = 3,
					 .text = text_format(arena, "%d", i) }),
		    STORE_OK);
	assert_status(write_note(&scene.mod, "One more."), 409);
	assert_holds(
	    &scene.mod, "This member has the maximum number of notes.");
	assert_status(
	    browser_post(&scene.mod, "/u/nobody/note", FIELDS("text", "x")),
	    404);
}

/* The log knows, so nothing of it is written down again. */
static void
page_says_what_the_log_has(void **state)
{
	struct scene scene = begin(*state);

	assert_status(browser_get(&scene.mod, "/u/ann/suspend"), 200);
	assert_lacks(&scene.mod, "Recently in the log");
	assert_status(browser_post(&scene.mod, "/articles/1/remove",
			  FIELDS("reason", "Spam.")),
	    303);
	for (int i = 0; i < 2; i++)
		assert_status(
		    browser_post(&scene.mod, "/u/ann/suspend",
			FIELDS("days", i == 0 ? "1" : "", "reason", "Spam.")),
		    303);
	assert_status(browser_get(&scene.other, "/u/ann/suspend"), 200);
	assert_holds(&scene.other,
	    "Recently in the log: 1 suspension, 1 removal, 0 cancellations "
	    "of votes.");
}

static void
notes_are_dumped_checked_and_deleted_with_the_account(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = scene.world;
	struct outcome outcome;
	const struct text notes = TEXT("{u1}notes");
	struct user user = world_user(world, 1);

	assert_status(write_note(&scene.mod, "Knows ropes."), 303);
	assert_status(write_note(&scene.other, "Argues."), 303);
	commands_assert_whole(world);
	outcome = commands_dump(world);
	assert_int_equal(outcome.status, 0);
	assert_true(
	    text_find(outcome.out, 0,
		TEXT("{\"kind\":\"member-note\",\"on\":\"ann\",\"by\":"
		     "\"mod\",\"text\":\"Knows ropes.\",\"at\":")) != SIZE_MAX);
	assert_true(
	    text_equal(commands_dump_again(world, NOON + 100, outcome.out, 2),
		outcome.out));
	world_command(world, TEXT("ZADD"), notes, TEXT("7"), TEXT("x"));
	commands_assert_break(world, "notes on member 1: \"x\" is none\n");
	world_command(world, TEXT("ZREM"), notes, TEXT("x"));
	world_command(world, TEXT("ZADD"), notes, TEXT("7"), TEXT("99 Text"));
	commands_assert_break(world,
	    "notes on member 1: one is by member 99, who does not exist\n");
	world_command(world, TEXT("ZREM"), notes, TEXT("99 Text"));
	assert_int_equal(world_command(world, TEXT("EXISTS"), notes).number, 1);
	assert_int_equal(close_account(&world->store, &world->arena, &user,
			     CLOSE_ACCOUNT_ERASE_NOTHING),
	    STORE_OK);
	assert_int_equal(world_command(world, TEXT("EXISTS"), notes).number, 0);
	assert_status(write_note(&scene.mod, "Gone."), 404);
}

/* Has the members with ids from first to last log in from an address. */
static void
log_in_from(
    struct world *world, uint64_t first, uint64_t last, const char *address)
{
	for (uint64_t id = first; id <= last; id++)
		network_note(
		    &world->store, &world->arena, id, text_of(address));
}

/* Asserts whom the page of ann names. */
static void
assert_shares(struct browser *mod, const char *names)
{
	assert_status(browser_get(mod, "/u/ann/suspend"), 200);
	if (names[0] == '\0')
		assert_lacks(mod, "Members on the same network");
	else
		assert_holds(mod,
		    text_string(&mod->world->arena,
			text_format(&mod->world->arena,
			    "Members on the same network, by log-ins of the "
			    "last 30 days, which many people may share: %s</p>",
			    names)));
}

#define BOB   "<a href=\"/u/bob\"><bdi>bob</bdi></a>"
#define OTHER "<a href=\"/u/other\"><bdi>other</bdi></a>"

static void
members_of_the_same_network_are_named(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = scene.world;
	struct user bob = world_user(world, 2);

	log_in_from(world, 1, 1, "192.0.2.7");
	log_in_from(world, 2, 2, "192.0.2.8");
	assert_shares(&scene.mod, "");
	/* Of IPv6 a network has 64 bits. Members are named once. */
	log_in_from(world, 2, 2, "192.0.2.7");
	log_in_from(world, 1, 1, "2001:db8::1");
	log_in_from(world, 2, 2, "2001:db8::2");
	assert_shares(&scene.mod, BOB);
	log_in_from(world, 4, 4, "192.0.2.7");
	assert_shares(&scene.mod, BOB " · " OTHER);
	assert_int_equal(account_suspend(&world->store, &world->arena, &bob,
			     world_now(world) + 60,
			     (struct mod_action){ .by = { 3, TEXT("mod") } }),
	    STORE_OK);
	assert_shares(&scene.mod, BOB " (suspended) · " OTHER);
	/* Nobody else is told, and no address is stored. */
	assert_status(browser_get(&scene.ann, "/u/ann"), 200);
	assert_lacks(&scene.ann, "network");
	assert_int_equal(
	    text_find(world_keys(world, "network:*"), 0, TEXT("192.0.2")),
	    SIZE_MAX);
	/* An account that is closed leaves nothing. */
	assert_int_equal(close_account(&world->store, &world->arena, &bob,
			     CLOSE_ACCOUNT_ERASE_NOTHING),
	    STORE_OK);
	assert_shares(&scene.mod, OTHER);
	assert_int_equal(
	    world_command(world, TEXT("EXISTS"), key_networks(&world->arena, 2))
		.number,
	    0);
	world_move_clock(world, NETWORK_SECONDS + 1);
	assert_text(world_keys(world, "network:*"), "");
	assert_text(world_keys(world, "{u*}networks"), "");
}

/* A network of many members tells nothing, and a member has the last five. */
static void
networks_are_bounded(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = scene.world;
	static const char *const others[] = { "192.0.2.11", "192.0.2.12",
		"192.0.2.13", "192.0.2.14", "192.0.2.15" };

	log_in_from(world, 1, 2, "192.0.2.7");
	assert_shares(&scene.mod, BOB);
	log_in_from(world, 100, 117, "192.0.2.7");
	assert_shares(&scene.mod, BOB);
	log_in_from(world, 118, 118, "192.0.2.7");
	assert_shares(&scene.mod, "");
	world_move_clock(world, 1);
	log_in_from(world, 2, 2, "192.0.2.8");
	log_in_from(world, 1, 1, "192.0.2.8");
	assert_shares(&scene.mod, BOB);
	world_move_clock(world, 1);
	for (size_t i = 0; i < 5; i++)
		log_in_from(world, 1, 1, others[i]);
	assert_shares(&scene.mod, "");
	/* A member who has not been there for a month is not named, though others have. */
	log_in_from(world, 2, 2, others[0]);
	world_move_clock(world, NETWORK_SECONDS - 1);
	log_in_from(world, 1, 1, others[0]);
	scene.mod = browser_of(world, 3);
	assert_shares(&scene.mod, BOB);
	world_move_clock(world, 1);
	assert_shares(&scene.mod, "");
}

/* Registers or logs in. */
static void
send_account(struct browser *browser, const char *target, const char *name)
{
	assert_status(browser_get(browser, target), 200);
	assert_status(browser_post(browser, target,
			  FIELDS("username", name, "password", PASSWORD)),
	    303);
	assert_status(browser_get(browser, "/"), 200);
}

static void
logging_in_notes_the_network(void **state)
{
	struct scene scene = begin(*state);
	struct browser first = browser_open(scene.world),
		       second = browser_open(scene.world);

	send_account(&first, "/register", "zoe");
	send_account(&second, "/login", "zoe");
	assert_status(browser_post(&second, "/logout", NULL), 303);
	second.address = TEXT("192.0.2.99");
	send_account(&second, "/register", "zac");
	assert_status(browser_get(&scene.mod, "/u/zoe/suspend"), 200);
	assert_lacks(&scene.mod, "Members on the same network");
	assert_status(browser_post(&second, "/logout", NULL), 303);
	second.address = first.address;
	send_account(&second, "/login", "zac");
	assert_status(browser_get(&scene.mod, "/u/zoe/suspend"), 200);
	assert_holds(
	    &scene.mod, "share: <a href=\"/u/zac\"><bdi>zac</bdi></a></p>");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(moderators_write_notes_for_each_other),
		world_test(notes_are_deleted_by_their_author_and_owners),
		world_test(notes_are_bounded),
		world_test(page_says_what_the_log_has),
		world_test(
		    notes_are_dumped_checked_and_deleted_with_the_account),
		world_test(members_of_the_same_network_are_named),
		world_test(networks_are_bounded),
		world_test(logging_in_notes_the_network),
	};

	return world_run("notes on members", tests);
}
