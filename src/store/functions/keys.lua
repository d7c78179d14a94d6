#!lua name=tally
-- version 18
--
-- To be raised with every change of a function: a program with an older library
-- leaves a newer one in Redis alone.
--
-- Tally's functions inside Redis: whatever changes two keys is one call here.
--
-- A name ends in the version of its interface, because workers of two versions
-- may run side by side. Redis does not roll back, so a function looks at
-- everything before its first write, and it reads the clock once.
--
-- A function is given one key; from it come the others of its slot. The layout is
-- described in store/keys.h.
--
-- Numbers are costly here: one given to redis.call is written with 17 digits, in
-- 3,200 instructions of Redis. So they stay the texts that Redis and the caller
-- give, and what is computed is formatted once, with '%d', for 2,200.

-- Each file has a scope of its own. It imports what it needs from tally, where files before
-- it have put what others need. An import that is not there fails when the library is
-- loaded, and not when a function is called. While it is loaded there is no error().
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
-- For a function that writes nothing, which FCALL_RO may call.
local function register_reader(name, callback)
	redis.register_function({ function_name = name, callback = callback,
		flags = { 'no-writes' } })
end

-- In a slot that moves to another node of a cluster, key by key, some keys are
-- here and others there. A command on one that has left ends a function in its
-- middle, and one that is still to come looks empty. So the first thing asked is
-- whether all are here that are about to be written, or read together: in one
-- command, which ends the function before anything is changed, and the caller
-- tries again. Anywhere else it costs a vote one part in fifteen.
local function all_here(...)
	return redis.call('EXISTS', ...)
end

-- "{0.0}", "article" or "comment", and "7" or, of comment 3 of article 7, "7:3".
local function parts_of(post)
	return string.match(post, '^({%d+%.%d+})(%l+):([%d:]+)$')
end

-- Of an article, "7", or of a comment, "7:3".
local function post_key(tag, id)
	return tag .. (string.find(id, ':', 1, true) and 'comment:' or
		'article:') .. id
end

-- A group's articles: by time and by score.
local function group_lists_of(tag, group)
	return tag .. 'time:' .. group, tag .. 'score:' .. group
end

-- The ones with which a short number of so many bytes begins (store/post.h).
local function ones_of(size)
	return (256 - 2 ^ (9 - size)) * 256 ^ (size - 1)
end

local function short_of(number)
	local size, limit = 1, 128
	while number - limit >= 0 do
		size, limit = size + 1, limit * 128
	end
	return struct.pack('>I' .. size, number + ones_of(size))
end

-- The short number that begins at a place, and the place behind it; 0 when there is none.
local short_max = 6

local function number_at(bytes, at)
	local first, size = string.byte(bytes, at) or 255, 1
	while size <= short_max and first >= 256 - 2 ^ (8 - size) do
		size = size + 1
	end
	if size > short_max or at + size - 1 > #bytes then
		return 0, at
	end
	return struct.unpack('>I' .. size, bytes, at) - ones_of(size), at + size
end

-- What the sorted sets have of a post.
local function member_of(post)
	local article, number = string.match(post, '^(%d+):(%d+)$')
	if article then
		return short_of(article) .. short_of(number)
	end
	return struct.pack('>I6', post)
end

-- The number, as a text, of a comment in a sorted set of comments, whose article's id is
-- the prefix; nil of another's.
local function number_behind(prefix, member)
	if string.sub(member, 1, #prefix) == prefix then
		return string.format('%d', (number_at(member, #prefix + 1)))
	end
end

-- A sorted set's bucket, as its tag; which it is, time or score for one;
-- and of which list, with its colon.
local function list_of(key)
	return string.match(key, '^({%d+%.%d+})(%l+)(.*)$')
end

-- Who flagged a post, and what of a bucket moderators have to look at.
local function flags_of(post)
	return post.tag .. 'flags:' .. post.id
end

local function queue_of(tag)
	return tag .. 'queue'
end

-- The index of an article's comments, who flagged its posts of late, and
-- the newest comments of a bucket; all of a member's; and who is to be told of any.
local function thread_of(tag, article)
	return tag .. 'thread:' .. article
end

local function flaggers_of(tag, article)
	return tag .. 'flaggers:' .. article
end

local function comments_of(tag)
	return tag .. 'comments'
end

local function author_comments_of(tag, author)
	return tag .. 'comments:@' .. author
end

local function outbox_of(tag)
	return tag .. 'outbox'
end

-- What moderators did.
local function log_of(tag)
	return tag .. 'log'
end

-- A bucket's id with a number of its own (store/keys.h).
local function id_in(tag, buckets, number)
	local bucket = string.match(tag, '%d+') + 0
	return string.format('%d', bucket > 0 and
		(number - 1) * buckets + bucket or number * buckets)
end

-- The next number of a counter that leads to no key: one that is behind what there is, as
-- after it was lost, goes past that in steps that double.
local function next_number(counter, key_of)
	local number, step = redis.call('INCR', counter), 1
	while redis.call('EXISTS', key_of(number)) == 1 do
		number, step = number + step, 2 * step
		redis.call('SET', counter, string.format('%d', number))
	end
	return number
end

-- What a member posted, by time.
local function author_list_of(tag, author)
	return tag .. 'time:@' .. author
end

-- What of it was removed, also by the member.
local function gone_list_of(tag, author)
	return tag .. 'gone:@' .. author
end

-- The id that a member of a sorted set stands for; nil when it is none.
local function id_of(member)
	if #member == 6 and string.byte(member) == 0 then
		return string.format('%.0f', struct.unpack('>I6', member))
	end
	local article, behind = number_at(member, 1)
	local number, last = number_at(member, behind)
	if article > 0 and number > 0 and last == #member + 1 then
		return string.format('%.0f:%d', article, number)
	end
end

-- An act, and the counter of acts.
local function act_key(tag, id)
	return tag .. 'act:' .. id
end

local function act_counter(tag)
	return tag .. 'acts'
end

-- A key that no function writes, for one that is to fail in every slot that moves.
local function missing_key(tag)
	return tag .. 'nothing'
end

local function voters_of(tag, id)
	return tag .. 'voters:' .. id
end

local function karma_of(tag)
	return tag .. 'karma'
end

local function versions_of(tag)
	return tag .. 'versions'
end

local function interesting_of(tag)
	return tag .. 'interesting'
end

-- What else lies in a member's slot, from the key of the member's hash.
local function sessions_of(user)
	return (string.gsub(user, 'user$', 'sessions'))
end

local function invites_of(user)
	return (string.gsub(user, 'user$', 'invites'))
end

local function inbox_of(user)
	return (string.gsub(user, 'user$', 'inbox'))
end

local function muted_of(user)
	return (string.gsub(user, 'user$', 'muted'))
end

local function seen_of(user)
	return (string.gsub(user, 'user$', 'seen'))
end

tally.register_reader, tally.all_here = register_reader, all_here
tally.parts_of, tally.post_key = parts_of, post_key
tally.group_lists_of, tally.short_of = group_lists_of, short_of
tally.member_of, tally.number_behind = member_of, number_behind
tally.list_of, tally.flags_of, tally.queue_of = list_of, flags_of, queue_of
tally.thread_of, tally.flaggers_of = thread_of, flaggers_of
tally.comments_of, tally.author_comments_of = comments_of, author_comments_of
tally.outbox_of, tally.log_of, tally.id_in = outbox_of, log_of, id_in
tally.next_number, tally.author_list_of = next_number, author_list_of
tally.gone_list_of, tally.id_of, tally.act_key = gone_list_of, id_of, act_key
tally.act_counter, tally.missing_key = act_counter, missing_key
tally.voters_of, tally.karma_of = voters_of, karma_of
tally.versions_of, tally.interesting_of = versions_of, interesting_of
tally.sessions_of, tally.invites_of = sessions_of, invites_of
tally.inbox_of, tally.muted_of, tally.seen_of = inbox_of, muted_of, seen_of
end
