#!lua name=tally
-- version 82
--
-- Raise the version with every change of a function: a program does not replace a newer
-- library in Redis.
--
-- Tally's functions in Redis. Every operation that changes several keys is one function.
--
-- A name ends in the version of its interface, because workers of two versions
-- may run side by side. Redis does not roll back, so a function checks
-- everything before its first write, and it reads the clock once.
--
-- A function is passed one key, and derives the others of its slot from it. The layout is
-- described in store/keys.h.
--
-- Numbers are expensive: Redis formats a number that is passed to redis.call with 17
-- digits, in 3,200 instructions. So numbers from Redis and from arguments stay texts, and a
-- computed number is formatted once, with '%d', in 2,200 instructions.

-- Each file has its own scope. It imports functions from the table tally, to which earlier
-- files have exported them. A missing import fails when the library is loaded, rather than
-- when a function is called. There is no error() while a library is loaded.
local tally = {}

local function import(name, ...) -- luacheck: ignore 211
	if name then
		local value = tally[name]
		if not value then
			redis.log(redis.LOG_WARNING, 'tally has no ' .. name)
			value()
		end
		return value, import(...)
	end
end

do
-- Registers a function that writes nothing, so that FCALL_RO may call it.
local function register_reader(name, callback)
	redis.register_function({ function_name = name, callback = callback,
		flags = { 'no-writes' } })
end

-- Whether slots may move to another node. For a Redis that is no cluster the program that loads
-- the library writes false (store/library.c).
local slots_move = true

-- Whether require_keys does anything: to make a key takes 2,000 instructions, so what names many
-- asks first.
local function keys_may_move()
	return slots_move
end

-- Fails unless all of these keys are on this node.
--
-- While a slot is moved to another node of a cluster, key by key, a command on a key that
-- has already been moved aborts the function halfway, and a key that has not arrived yet
-- looks empty. So a function first names all keys that it writes, or reads together, in one
-- command: it is aborted before it changes anything, and the caller tries again.
local function require_keys(...)
	if slots_move then
		redis.call('EXISTS', ...)
	end
end

-- Caches what a function of two texts returns, which must follow from them alone and is never
-- changed. To make a key takes 2,000 instructions, mostly for the new text; a vote needed ten.
local results_max = 1000

local function cached(compute)
	local results, count = {}, 0
	return function(first, second)
		local row = results[first]
		if row and row[second] then
			return row[second]
		elseif count >= results_max then
			results, count, row = {}, 0, nil
		end
		row, count = row or {}, count + 1
		results[first], row[second] = row, compute(first, second)
		return row[second]
	end
end

-- Defines a function for each row of KEYS in store/keys.h that has a tag: karma_key(tag),
-- flags_key(tag, id), time_key(tag) and time_key(tag, list). Those of a member's slot take the
-- key of the member's hash: inbox_key(user). While the library is loaded there is no pairs()
-- and no global string.
local rows = { KEY_ROWS } -- luacheck: read_globals KEY_ROWS
local member_words = {}

local function key_in_bucket(word)
	local word_of_id = word .. ':'
	return function(tag, id)
		return id and tag .. word_of_id .. id or tag .. word
	end
end

local function key_of_member(word)
	return function(user)
		return (string.gsub(user, 'user$', word))
	end
end

for i = 1, #rows do
	local row = rows[i]
	local name = row.name:lower() .. '_key'
	if row.place == 'BUCKET' then
		tally[name] = key_in_bucket(row.word)
	elseif row.place == 'MEMBER' and row.word ~= 'user' then
		tally[name] = key_of_member(row.word)
		member_words[#member_words + 1] = row.word
	end
end

local article_key, comment_key = import('article_key', 'comment_key')
local time_key = import('time_key')
local comments_key, removed_key = import('comments_key', 'removed_key')
local log_key = import('log_key')

-- All keys of a member's slot but the member's hash and counts of rate limits: a closed
-- account has none of them.
local function all_member_keys(user)
	local keys = {}
	for i, word in ipairs(member_words) do
		keys[i] = key_of_member(word)(user)
	end
	return keys
end

-- The hash of an article, "7", or of a comment, "7:3".
local function post_key(tag, id)
	return string.find(id, ':', 1, true) and comment_key(tag, id) or
		article_key(tag, id)
end

-- A member's articles and comments, and those of them that were removed or withdrawn.
local function author_articles_key(tag, author)
	return time_key(tag, '@' .. author)
end

local function author_comments_key(tag, author)
	return comments_key(tag, '@' .. author)
end

local function author_removed_key(tag, author)
	return removed_key(tag, '@' .. author)
end

-- The articles from a publisher.
local function publisher_articles_key(tag, publisher)
	return time_key(tag, '/' .. publisher)
end

-- Logs: of a kind of action, about a member, and by a moderator.
local function log_of_kind_key(tag, kind)
	return log_key(tag, '=' .. kind)
end

local function log_of_member_key(tag, user)
	return log_key(tag, '@' .. user)
end

local function log_of_moderator_key(tag, user)
	return log_key(tag, '^' .. user)
end

-- The parts of a decision, and those by a moderator.
local function log_of_decision_key(tag, decision)
	return log_key(tag, '%' .. decision)
end

local function log_of_parts_by_key(tag, user)
	return log_key(tag, '+' .. user)
end

-- "7:3", of comment 3 of article 7.
local function comment_id(article, number)
	return article .. ':' .. number
end

-- A key that no function writes: requiring it fails in every slot that is being moved.
local function missing_key(tag)
	return tag .. 'nothing'
end

-- In the slot of the site's hash: the lease of a layout.
local function lease_key(site, layout)
	return '{' .. site .. '}lease:' .. layout
end

-- In the slot of the owners' key: a one-time link to become the owner, by the digest of
-- its secret; and the member who has used one.
local function owner_link_key(owners, digest)
	return '{' .. owners .. '}link:' .. digest
end

local function owner_claim_key(owners)
	return '{' .. owners .. '}claim'
end

-- The tag, "{0.0}"; "article" or "comment"; and "7" or, of comment 3 of article 7, "7:3".
local function split_key(post)
	return string.match(post, '^({%d+%.%d+})(%l+):([%d:]+)$')
end

-- Variable-length integers of so many bytes (store/encoding.h): their format, the lowest number that
-- takes more, and their prefix.
local varint_formats, varint_limits, varint_prefixes = {}, {}, {}

for size = 1, 8 do
	varint_formats[size], varint_limits[size] = '>I' .. size, 128 ^ size
	varint_prefixes[size] = (256 - 2 ^ (9 - size)) * 256 ^ (size - 1)
end

local function varint(number)
	local value, size = tonumber(number), 1
	while value >= varint_limits[size] do
		size = size + 1
	end
	return struct.pack(varint_formats[size], value + varint_prefixes[size])
end

-- The variable-length integer at a position, and the next position; 0 when there is
-- none.
local varint_max = 6

local function varint_at(bytes, at)
	local first, size = string.byte(bytes, at) or 255, 1
	while size <= varint_max and first >= 256 - 2 ^ (8 - size) do
		size = size + 1
	end
	if size > varint_max or at + size - 1 > #bytes then
		return 0, at
	end
	return struct.unpack(varint_formats[size], bytes, at) - varint_prefixes[size],
		at + size
end

-- A post's id, or an action's, as sorted sets have it.
local function encode_id(post)
	local article, number = string.match(post, '^(%d+):(%d+)$')
	if article then
		return varint(article) .. varint(number)
	end
	return struct.pack('>I6', post)
end

-- The number of a comment, as a text, from an encoded id whose article is the prefix; nil
-- for a comment on another article.
local function comment_number_in(prefix, member)
	if string.find(member, prefix, 1, true) == 1 then
		return string.format('%d', (varint_at(member, #prefix + 1)))
	end
end

-- A sorted set's tag; its kind, such as "time"; and its list, with the colon.
local function split_list_key(key)
	return string.match(key, '^({%d+%.%d+})(%l+%d?)(.*)$')
end

-- True for a list of the kind of which a function makes the keys.
local function is_list_of(key, key_of)
	local tag, kind = split_list_key(key)
	return select(2, split_list_key(key_of(tag))) == kind
end

-- The id for the n-th article, or action, of a bucket (store/keys.h).
local function id_in_bucket(tag, buckets, number)
	local bucket = string.match(tag, '%d+') + 0
	return string.format('%d', bucket > 0 and
		(number - 1) * buckets + bucket or number * buckets)
end

-- The next number of a counter whose key is free. A counter that lags behind, because a
-- crash lost its last increments, skips used numbers in steps that double.
local function next_number(counter, key_of)
	local number, step = redis.call('INCR', counter), 1
	while redis.call('EXISTS', key_of(number)) == 1 do
		number, step = number + step, 2 * step
		redis.call('SET', counter, string.format('%d', number))
	end
	return number
end

-- The id that encode_id encoded; nil when these bytes are none.
local function decode_id(member)
	if #member == 6 and string.byte(member) == 0 then
		return string.format('%.0f', struct.unpack('>I6', member))
	end
	local article, behind = varint_at(member, 1)
	local number, last = varint_at(member, behind)
	if article > 0 and number > 0 and last == #member + 1 then
		return string.format('%.0f:%d', article, number)
	end
end

tally.register_reader, tally.require_keys = register_reader, require_keys
tally.keys_may_move = keys_may_move
tally.cached, tally.post_key = cached, post_key
tally.author_articles_key = author_articles_key
tally.author_comments_key = author_comments_key
tally.author_removed_key, tally.all_member_keys = author_removed_key, all_member_keys
tally.publisher_articles_key = publisher_articles_key
tally.log_of_kind_key, tally.log_of_member_key = log_of_kind_key, log_of_member_key
tally.log_of_decision_key, tally.log_of_parts_by_key = log_of_decision_key, log_of_parts_by_key
tally.log_of_moderator_key, tally.comment_id = log_of_moderator_key, comment_id
tally.missing_key, tally.is_list_of = missing_key, is_list_of
tally.lease_key = lease_key
tally.owner_link_key, tally.owner_claim_key = owner_link_key, owner_claim_key
tally.split_key, tally.split_list_key = split_key, split_list_key
tally.varint, tally.encode_id, tally.decode_id = varint, encode_id, decode_id
tally.comment_number_in = comment_number_in
tally.id_in_bucket, tally.next_number = id_in_bucket, next_number
end
