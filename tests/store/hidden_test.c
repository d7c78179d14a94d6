/* What members hide: adding, removing and replacing rules, and what is left of damaged ones. */
#include "../support/world.h"
#include "redis/redis.h"
#include "store/close_account.h"
#include "store/hidden.h"
#include "store/refresh.h"
#include "store/user.h"

static void
rules_are_encoded_and_decoded(void **state)
{
	struct world *world = *state;
	static const char *const entries[] = { "7", "@17", "g/redis",
		"/example.org", "/github.com/ann", "=c++ and so" };
	static const char *const damaged[] = { "", "x", "0", "@", "@0", "@x",
		"g/", "/", "=", "7:3", "-7" };
	struct hidden_rule what;

	for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); i++) {
		assert_true(hidden_decode(text_of(entries[i]), &what));
		assert_text(hidden_encode(&world->arena, &what), entries[i]);
	}
	for (size_t i = 0; i < sizeof(damaged) / sizeof(damaged[0]); i++)
		assert_false(hidden_decode(text_of(damaged[i]), &what));
}

static struct text
list(struct world *world, uint64_t user)
{
	struct text all = TEXT("");
	struct hidden_rule *rules;
	size_t count;

	assert_int_equal(
	    hidden_get(&world->store, &world->arena, user, &rules, &count),
	    STORE_OK);
	for (size_t i = 0; i < count; i++)
		all = text_format(&world->arena, "%.*s%s%.*s:%lld",
		    TEXT_ARGS(all), i == 0 ? "" : " ",
		    TEXT_ARGS(hidden_encode(&world->arena, &rules[i])),
		    (long long)rules[i].at - 1700000000);
	/* Who has none may have had some. */
	assert_true(count == 0 || world_user(world, user).hidden != 0);
	return all;
}

static struct hidden_rule
rule_named(const char *entry)
{
	struct hidden_rule what;

	assert_true(hidden_decode(text_of(entry), &what));
	return what;
}

static enum store_result
add(struct world *world, uint64_t user, const char *entry)
{
	const struct hidden_rule what = rule_named(entry);

	return hidden_add(&world->store, &world->arena, user, &what);
}

static void
rules_are_added_and_removed(void **state)
{
	struct world *world = *state;
	const struct hidden_rule what = rule_named("@17");
	uint64_t ann;
	struct text before;

	world_stop_clock(world, 1700000000);
	ann = world_member(world, "ann");
	assert_int_equal(add(world, 1000, "7"), STORE_ABSENT);
	assert_text(list(world, ann), "");
	assert_int_equal(add(world, ann, "@17"), STORE_OK);
	world_move_clock(world, 5);
	assert_int_equal(add(world, ann, "7"), STORE_OK);
	before = world_snapshot(world);
	assert_int_equal(add(world, ann, "7"), STORE_OK);
	assert_unchanged(world, before);
	assert_text(list(world, ann), "7:5 @17:0");
	for (int i = 0; i < 2; i++)
		assert_int_equal(
		    hidden_remove(&world->store, &world->arena, ann, &what),
		    STORE_OK);
	assert_text(list(world, ann), "7:5");
	assert_int_equal(hidden_rename(&world->store, &world->arena, ann,
			     TEXT("none"), TEXT("other")),
	    STORE_OK);
	assert_int_equal(add(world, ann, "g/a"), STORE_OK);
	world_move_clock(world, 5);
	for (int i = 0; i < 2; i++)
		assert_int_equal(hidden_rename(&world->store, &world->arena,
				     ann, TEXT("a"), TEXT("b")),
		    STORE_OK);
	assert_text(list(world, ann), "7:5 g/b:5");
}

static void
rules_are_replaced_and_bounded(void **state)
{
	struct world *world = *state;
	struct store *store = &world->store;
	struct hidden_rule rules[HIDDEN_MAX + 1];
	uint64_t ann;

	world_stop_clock(world, 1700000000);
	ann = world_member(world, "ann");
	assert_int_equal(add(world, ann, "@17"), STORE_OK);
	assert_int_equal(add(world, ann, "@18"), STORE_OK);
	world_move_clock(world, 5);
	rules[0] = rule_named("@17");
	rules[1] = rule_named("=word");
	for (int i = 0; i < 2; i++) {
		assert_int_equal(
		    hidden_replace(store, &world->arena, ann, rules, 2),
		    STORE_OK);
		assert_text(list(world, ann), "@17:0 =word:5");
		world_move_clock(world, 5);
	}
	for (uint64_t i = 0; i <= HIDDEN_MAX; i++)
		rules[i] =
		    (struct hidden_rule){ .kind = HIDDEN_ARTICLE, .id = i + 1 };
	assert_int_equal(
	    hidden_replace(store, &world->arena, ann, rules, HIDDEN_MAX + 1),
	    STORE_FULL);
	assert_text(list(world, ann), "@17:0 =word:5");
	assert_int_equal(
	    hidden_replace(store, &world->arena, ann, rules, HIDDEN_MAX),
	    STORE_OK);
	assert_int_equal(add(world, ann, "@17"), STORE_FULL);
	assert_int_equal(add(world, ann, "200"), STORE_OK);
	assert_int_equal(
	    hidden_replace(store, &world->arena, ann, NULL, 0), STORE_OK);
	assert_text(list(world, ann), "");
	assert_int_equal(
	    hidden_replace(store, &world->arena, 1000, rules, 1), STORE_ABSENT);
}

/* Who had more muted members than rules are allowed keeps them all, and may replace them by as
 * many. */
static void
members_who_had_muted_many_keep_them(void **state)
{
	struct world *world = *state;
	struct store *store = &world->store;
	uint64_t ann = world_member(world, "ann");
	struct hidden_rule *rules;
	size_t count;

	for (int i = 0; i < HIDDEN_MAX + 5; i++)
		world_command(world, TEXT("SADD"),
		    key_muted(&world->arena, ann),
		    text_format(&world->arena, "@%d", 100 + i));
	assert_int_equal(refresh_member(store, &world->arena, ann), STORE_OK);
	assert_int_equal(
	    hidden_get(store, &world->arena, ann, &rules, &count), STORE_OK);
	assert_int_equal(count, HIDDEN_MAX + 5);
	assert_int_equal(add(world, ann, "7"), STORE_FULL);
	assert_int_equal(
	    hidden_replace(store, &world->arena, ann, rules, count), STORE_OK);
}

static void
closed_accounts_hide_nothing(void **state)
{
	struct world *world = *state;
	uint64_t ann = world_member(world, "ann");
	struct user user;

	assert_int_equal(add(world, ann, "7"), STORE_OK);
	user = world_user(world, ann);
	assert_int_equal(
	    close_account(&world->store, &world->arena, &user, 0), STORE_OK);
	assert_text(world_keys(world, "{u*"), "{u1}user");
	assert_int_equal(add(world, ann, "8"), STORE_ABSENT);
}

static void
damaged_rules_are_left_out(void **state)
{
	struct world *world = *state;
	uint64_t ann = world_member(world, "ann");
	struct hidden_rule *rules;
	size_t count;

	world_command(world, TEXT("ZADD"), key_hidden(&world->arena, ann),
	    TEXT("1"), TEXT("x"), TEXT("2"), TEXT("@9"), TEXT("3"), TEXT(""));
	assert_int_equal(
	    hidden_get(&world->store, &world->arena, ann, &rules, &count),
	    STORE_OK);
	assert_int_equal(count, 1);
	assert_int_equal(rules[0].at, 2);
}

static void
what_rules_name_is_found(void **state)
{
	struct world *world = *state;
	uint64_t ann = world_member(world, "ann");
	uint64_t id = world_post(world, ann, "T", "http://a.b/", "");
	static const bool wanted[] = { true, false, true, false, true, false,
		true, true };
	struct hidden_rule rules[] = { { .kind = HIDDEN_ARTICLE, .id = id },
		rule_named("99"), rule_named("@1"), rule_named("@99"),
		rule_named("g/go"), rule_named("g/no"), rule_named("/x.y"),
		rule_named("=word") };
	bool exists[8], held[8];

	world_group(world, "go");
	assert_int_equal(
	    hidden_find(&world->store, &world->arena, rules, 8, exists, held),
	    STORE_OK);
	for (size_t i = 0; i < 8; i++)
		assert_int_equal(exists[i], wanted[i]);
	for (size_t i = 0; i < 8; i++)
		assert_false(held[i]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(rules_are_encoded_and_decoded),
		world_test(rules_are_added_and_removed),
		world_test(rules_are_replaced_and_bounded),
		world_test(members_who_had_muted_many_keep_them),
		world_test(closed_accounts_hide_nothing),
		world_test(damaged_rules_are_left_out),
		world_test(what_rules_name_is_found),
	};

	return world_run("hidden things", tests);
}
