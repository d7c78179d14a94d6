#!lua name=tally
-- version 25
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

-- Fails unless all of these keys are on this node; returns how many exist.
--
-- While a slot is moved to another node of a cluster, key by key, a command on a key that
-- has already been moved aborts the function halfway, and a key that has not arrived yet
-- looks empty. So a function first names all keys that it writes, or reads together, in one
-- command: it is aborted before it changes anything, and the caller tries again. When no
-- slot is moved, this takes a fifteenth of the time of a vote.
local function require_keys(...)
	return redis.call('EXISTS', ...)
end

-- The tag, "{0.0}"; "article" or "comment"; and "7" or, of comment 3 of article 7, "7:3".
local function split_key(post)
	return string.match(post, '^({%d+%.%d+})(%l+):([%d:]+)$')
end

-- The hash of an article, "7", or of a comment, "7:3".
local function post_key(tag, id)
	return tag .. (string.find(id, ':', 1, true) and 'comment:' or
		'article:') .. id
end

-- A list of articles, "time" or "score": of a group, or of all.
local function list_key(tag, kind, group)
	return group and tag .. kind .. ':' .. group or tag .. kind
end

-- A group's articles: by time and by score.
local function group_list_keys(tag, group)
	return list_key(tag, 'time', group), list_key(tag, 'score', group)
end

-- The prefix of a variable-length integer of so many bytes (store/encoding.h).
local function varint_prefix(size)
	return (256 - 2 ^ (9 - size)) * 256 ^ (size - 1)
end

local function varint(number)
	local size, limit = 1, 128
	while number - limit >= 0 do
		size, limit = size + 1, limit * 128
	end
	return struct.pack('>I' .. size, number + varint_prefix(size))
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
	return struct.unpack('>I' .. size, bytes, at) - varint_prefix(size), at + size
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
	if string.sub(member, 1, #prefix) == prefix then
		return string.format('%d', (varint_at(member, #prefix + 1)))
	end
end

-- A sorted set's tag; its kind, such as "time"; and its list, with the colon.
local function split_list_key(key)
	return string.match(key, '^({%d+%.%d+})(%l+)(.*)$')
end

-- The flags of a post, and the moderators' queue of a bucket.
local function flags_key(tag, id)
	return tag .. 'flags:' .. id
end

local function queue_key(tag)
	return tag .. 'queue'
end

-- The index of an article's comments; the members who flagged posts of the thread within
-- the hour; the newest comments of a bucket; all of a member's; and the notifications
-- that are to be delivered.
local function thread_key(tag, article)
	return tag .. 'thread:' .. article
end

local function flaggers_key(tag, article)
	return tag .. 'flaggers:' .. article
end

local function newest_comments_key(tag)
	return tag .. 'comments'
end

local function author_comments_key(tag, author)
	return tag .. 'comments:@' .. author
end

local function outbox_key(tag)
	return tag .. 'outbox'
end

-- The moderation log.
local function log_key(tag)
	return tag .. 'log'
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

-- A member's articles, by time.
local function author_articles_key(tag, author)
	return tag .. 'time:@' .. author
end

-- A member's removed posts, also those that the member withdrew.
local function author_removed_key(tag, author)
	return tag .. 'gone:@' .. author
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

-- A moderator's action, and the counter of actions.
local function mod_action_key(tag, id)
	return tag .. 'act:' .. id
end

local function mod_action_counter_key(tag)
	return tag .. 'acts'
end

-- A key that no function writes: requiring it fails in every slot that is being moved.
local function missing_key(tag)
	return tag .. 'nothing'
end

local function voters_key(tag, id)
	return tag .. 'voters:' .. id
end

local function karma_key(tag)
	return tag .. 'karma'
end

local function versions_key(tag)
	return tag .. 'versions'
end

local function interesting_key(tag)
	return tag .. 'interesting'
end

-- An image of the site's own, "logo" or "icon".
local function image_key(tag, name)
	return tag .. 'image:' .. name
end

-- Keys of a member's slot beside the member's hash, from the key of that: each a function
-- such as inbox_key. A closed account has none of them. While the library is loaded there is
-- no pairs().
local member_keys = { { 'sessions_key', 'sessions' }, { 'invites_key', 'invites' },
	{ 'inbox_key', 'inbox' }, { 'muted_key', 'muted' },
	{ 'read_marks_key', 'seen' } }

for i = 1, #member_keys do
	local name, word = member_keys[i][1], member_keys[i][2]
	tally[name] = function(user)
		return (string.gsub(user, 'user$', word))
	end
end

local function all_member_keys(user)
	local keys = {}
	for i, row in ipairs(member_keys) do
		keys[i] = tally[row[1]](user)
	end
	return keys
end

-- In the slot of the owners' key: a one-time link to become the owner, by the digest of
-- its secret; and the member who has used one.
local function owner_link_key(owners, digest)
	return '{' .. owners .. '}link:' .. digest
end

local function owner_claim_key(owners)
	return '{' .. owners .. '}claim'
end

tally.register_reader, tally.require_keys = register_reader, require_keys
tally.split_key, tally.post_key, tally.list_key = split_key, post_key, list_key
tally.group_list_keys, tally.varint = group_list_keys, varint
tally.encode_id, tally.comment_number_in = encode_id, comment_number_in
tally.split_list_key, tally.flags_key = split_list_key, flags_key
tally.queue_key, tally.thread_key = queue_key, thread_key
tally.flaggers_key = flaggers_key
tally.newest_comments_key = newest_comments_key
tally.author_comments_key, tally.outbox_key = author_comments_key, outbox_key
tally.log_key, tally.id_in_bucket = log_key, id_in_bucket
tally.next_number, tally.author_articles_key = next_number, author_articles_key
tally.author_removed_key, tally.decode_id = author_removed_key, decode_id
tally.mod_action_key = mod_action_key
tally.mod_action_counter_key = mod_action_counter_key
tally.missing_key, tally.voters_key = missing_key, voters_key
tally.karma_key, tally.versions_key = karma_key, versions_key
tally.interesting_key, tally.all_member_keys = interesting_key, all_member_keys
tally.owner_link_key, tally.owner_claim_key = owner_link_key, owner_claim_key
tally.image_key = image_key
end
