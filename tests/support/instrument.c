#include "instrument.h"

#include <string.h>

#include "base/buffer.h"
#include "fixture.h"

/*
 * Inserted before all other code of the library, for which it replaces "redis". EXISTS of a
 * single key checks nothing: only where one command names several does Redis report that
 * one of them is on another node.
 */
static const char prologue[] =
    "local function real() return redis end\n"
    "local load_time, reached, running = redis, {}, nil\n"
    "local function reach(line) reached[line] = true end\n"
    "local function first_key(words) return { words[1] } end\n"
    "local function all_keys(words) return words end\n"
    "local keys_of = { EXISTS = all_keys, DEL = all_keys, UNLINK = all_keys,\n"
    "	TIME = function() return {} end,\n"
    "	XGROUP = function(words) return { words[2] } end,\n"
    "	XREADGROUP = function(words)\n"
    "		for i = 1, #words do\n"
    "			if words[i] == 'STREAMS' then return { words[i + 1] } end\n"
    "		end\n"
    "	end }\n"
    "local reads = { TIME = true, EXISTS = true, GET = true,\n"
    "	GETRANGE = true, HEXISTS = true, HGET = true, HGETALL = true,\n"
    "	HKEYS = true, HLEN = true, HMGET = true, HVALS = true,\n"
    "	PEXPIRETIME = true, SCARD = true, SISMEMBER = true,\n"
    "	SMEMBERS = true, SMISMEMBER = true, ZCARD = true, ZRANGE = true,\n"
    "	ZRANK = true,\n"
    "	ZREVRANGE = true, ZREVRANGEBYSCORE = true, ZSCAN = true,\n"
    "	ZSCORE = true, }\n"
    "local function mark_required(keys)\n"
    "	local others = 0\n"
    "	for _, key in ipairs(keys) do\n"
    "		if key ~= keys[1] then others = others + 1 end\n"
    "	end\n"
    "	for _, key in ipairs(keys) do\n"
    "		if others == 0 or running.required[key] then\n"
    "		elseif running.wrote then\n"
    "			error(running.name .. ' requires ' .. key ..\n"
    "				' after its first write')\n"
    "		else\n"
    "			running.required[key] = true\n"
    "		end\n"
    "		if string.find(key, '}nothing', 1, true) then\n"
    "			running.requires_nothing = true\n"
    "		end\n"
    "	end\n"
    "end\n"
    "local function check_call(command, words)\n"
    "	local keys = (keys_of[command] or first_key)(words)\n"
    "	if command == 'EXISTS' then mark_required(keys) end\n"
    "	for _, key in ipairs(keys) do\n"
    "		if not running.required[key] and not running.requires_nothing then\n"
    "			error(running.name .. ' calls ' .. command .. ' on ' .. key ..\n"
    "				', which it has not required')\n"
    "		end\n"
    "	end\n"
    "	running.wrote = running.wrote or not reads[command]\n"
    "end\n"
    "local redis = {\n"
    "	call = function(command, ...)\n"
    "		check_call(command, { ... })\n"
    "		return real().call(command, ...)\n"
    "	end,\n"
    "	pcall = function(command, ...)\n"
    "		check_call(command, { ... })\n"
    "		return real().pcall(command, ...)\n"
    "	end,\n"
    "	register_function = function(what, callback)\n"
    "		local row = callback and { function_name = what,\n"
    "			callback = callback } or what\n"
    "		local inner = row.callback\n"
    "		row.callback = function(keys, args)\n"
    "			running = { name = row.function_name,\n"
    "				required = { [keys[1]] = true } }\n"
    "			return inner(keys, args)\n"
    "		end\n"
    "		load_time.register_function(row)\n"
    "	end,\n"
    "}\n"
    "load_time.register_function({ function_name = 'instrument_reached',\n"
    "	flags = { 'no-writes' }, callback = function()\n"
    "		local lines = {}\n"
    "		for line in pairs(reached) do lines[#lines + 1] = line end\n"
    "		return lines\n"
    "	end })\n";

static bool
ends_in(struct text line, const char *word)
{
	size_t size = strlen(word);

	return line.size >= size &&
	    memcmp(line.data + line.size - size, word, size) == 0;
}

static bool
opens_block(struct text line)
{
	return memmem(line.data, line.size, "--", 2) == NULL &&
	    (ends_in(line, "then") || ends_in(line, "else") ||
		ends_in(line, " do"));
}

struct text
instrument_library(struct arena *arena, struct text library)
{
	const struct text version = TEXT("-- version ");
	const struct text unmoved = TEXT("local slots_move = false");
	struct buffer text = buffer_in(arena, library.size + sizeof(prologue));
	struct text line;

	for (int number = 1; text_cut(&library, '\n', &line); number++) {
		/* Keys are to be required as in a cluster. */
		buffer_add(&text,
		    text_equal(line, unmoved) ? TEXT("local slots_move = true")
					      : line);
		if (opens_block(line))
			buffer_add(
			    &text, text_format(arena, " reach(%d)", number));
		buffer_add(&text, TEXT("\n"));
		if (text_starts(line, version))
			buffer_add(&text, text_of(prologue));
	}
	return buffer_text(&text);
}

/* The tally library that is loaded at a master. */
static struct text
loaded_library(struct redis *redis, struct arena *arena, size_t master)
{
	struct pipeline pipeline = pipeline_begin_at(redis, arena, master);
	const struct reply *library;

	pipeline_add(&pipeline, TEXT("FUNCTION"), TEXT("LIST"),
	    TEXT("LIBRARYNAME"), TEXT("tally"), TEXT("WITHCODE"));
	assert_true(redis_run(&pipeline));
	library = reply_item(&pipeline.replies[0], 0);
	for (size_t i = 0; i + 1 < library->count; i += 2)
		if (text_equal(reply_text(reply_item(library, i)),
			TEXT("library_code")))
			return reply_text(reply_item(library, i + 1));
	fail_msg("there is no library");
	return TEXT("");
}

void
instrument_functions(struct redis *redis, struct arena *arena)
{
	for (size_t master = 0; master < redis_master_count(redis); master++) {
		struct text library = loaded_library(redis, arena, master);
		struct pipeline pipeline =
		    pipeline_begin_at(redis, arena, master);

		pipeline_add(&pipeline, TEXT("FUNCTION"), TEXT("LOAD"),
		    TEXT("REPLACE"), instrument_library(arena, library));
		assert_true(redis_run(&pipeline));
	}
}

/* Marks the lines that a node has reached. */
static void
mark_reached(
    struct redis *redis, struct arena *arena, bool *lines, size_t count)
{
	struct pipeline pipeline = pipeline_begin_at(redis, arena, 0);

	pipeline_add(
	    &pipeline, TEXT("FCALL"), TEXT("instrument_reached"), TEXT("0"));
	assert_true(redis_run(&pipeline));
	for (size_t i = 0; i < pipeline.replies[0].count; i++) {
		int64_t line =
		    reply_number(reply_item(&pipeline.replies[0], i));

		assert_true(line > 0 && (size_t)line < count);
		lines[line] = true;
	}
}

/* True if the block only returns. */
static bool
returns_at_once(struct text rest)
{
	struct text line, word;

	return text_cut(&rest, '\n', &line) && text_next_word(&line, &word) &&
	    text_equal(word, TEXT("return"));
}

static bool
is_elsewhere(const struct instrument_block *elsewhere, struct text function,
    struct text block)
{
	for (; elsewhere->function != NULL; elsewhere++)
		if (text_find(function, 0, text_of(elsewhere->function)) !=
			SIZE_MAX &&
		    (elsewhere->block == NULL ||
			text_find(block, 0, text_of(elsewhere->block)) !=
			    SIZE_MAX))
			return true;
	return false;
}

struct text
instrument_unreached(struct redis *const *nodes, size_t count,
    const struct instrument_block *elsewhere, struct arena *arena)
{
	enum { LINES = 8192 };
	const struct text mark = TEXT(" reach(");
	bool *reached = arena_new(arena, bool, LINES);
	struct text library = loaded_library(nodes[0], arena, 0), line;
	struct text function = TEXT("");
	struct buffer unreached = buffer_in(arena, 1024);

	for (size_t i = 0; i < count; i++)
		mark_reached(nodes[i], arena, reached, LINES);
	while (text_cut(&library, '\n', &line)) {
		size_t at = text_find(line, 0, mark);
		struct text block = text_slice(line, 0, at), digits;
		uint64_t number;

		if (line.size > 0 && line.data[0] != '\t' && at == SIZE_MAX)
			function = line;
		if (at == SIZE_MAX || returns_at_once(library) ||
		    is_elsewhere(elsewhere, function, block))
			continue;
		digits = text_slice(
		    line, at + mark.size, line.size - at - mark.size - 1);
		if (text_to_u64(digits, &number) && number < LINES &&
		    !reached[number])
			buffer_add(&unreached,
			    text_format(arena, "%.*s\n%.*s\n",
				TEXT_ARGS(function), TEXT_ARGS(block)));
	}
	return buffer_text(&unreached);
}
