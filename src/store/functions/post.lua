-- A post as the functions see it: what an article and a comment have in common.

do
local parts_of, member_of = import('parts_of', 'member_of')
local voters_of, karma_of = import('voters_of', 'karma_of')
local versions_of = import('versions_of')

local function now()
	return redis.call('TIME')[1]
end

-- Whether what was written then may be this very call, whose answer was lost: it is sent
-- again within seconds.
local function is_recent(moment)
	return now() - (moment or 0) < 60
end

local function words(text)
	local list = {}
	for word in string.gmatch(text or '', '%S+') do
		list[#list + 1] = word
	end
	return list
end

-- Names and values in turn, from args[first] on, by name.
local function by_name(args, first)
	local fields = {}
	for i = first, #args, 2 do
		fields[args[i]] = args[i + 1]
	end
	return fields
end

-- Whether a hash has these fields, names and values in turn, but for one: then it may be
-- this very call that has written it.
local function has_fields(key, fields, but)
	local there = by_name(redis.call('HGETALL', key), 1)
	for i = 1, #fields, 2 do
		if fields[i] ~= but and there[fields[i]] ~= fields[i + 1] then
			return false
		end
	end
	return true
end

-- What a kind of post has beside what all have; each has
--	places	the keys of its lists, which enter and leave write: (post)
--	ranks	those of them that a vote changes, and what stands reads: (post)
--	stands	whether what it belongs to was not removed: (post)
--	enter	puts it into them: (post, vote_score)
--	leave	takes it out of them: (post)
--	gone	the key of the list that it is in while it is removed: (post)
--	ask_crossed	asks for what moved writes beside ranks when the counts, as
--		they are now, cross a threshold: (post, threshold)
--	moved	a vote changed its counts, of which names and values are given:
--		(post, counts, ranks, vote_score, threshold)
--	edited	its hash is about to change, but for its counts: (post)
--	erase	takes out what its author said, for a text in its place: (post, text)
--	write	writes its fields, names and values from first on: (post, fields, first)
--	recall	adds to what its hash has what stands elsewhere: (post)
--	check	notes where it is not in them: (post, vote_score, note)
local kinds = {}

-- Adds what follows from its key and its fields to a post, which has them by
-- name, as texts; no downvotes and no groups are no fields.
local function complete(post, key)
	local tag, kind, id = parts_of(key)
	post.key, post.tag, post.id, post.kind = key, tag, id, kinds[kind]
	post.author = string.match(post.author, '^%d+')
	post.down, post.groups = post.down or '0', post.groups or ''
	post.voters = voters_of(tag, id)
	post.karma = karma_of(tag)
	post.versions = versions_of(tag)
	return post
end

-- nil when there is none.
local function read_post(key)
	local v = redis.call('HMGET', key, 'author', 'posted', 'closes', 'up',
		'down', 'groups', 'interesting', 'removed')
	if v[1] then
		local post = complete({ author = v[1], posted = v[2],
			closes = v[3], up = v[4], down = v[5], groups = v[6],
			interesting = v[7], removed = v[8] }, key)
		post.kind.recall(post)
		return post
	end
end

-- Whether a removed post was taken back by its author.
local function is_withdrawn(post)
	local by = redis.call('HGET', post.key, 'removed_by') or ''
	return string.match(by, '^%d+') == post.author
end

-- For a function of one post, which must exist: (post, args).
local function register_change(name, callback)
	redis.register_function(name, function(keys, args)
		local post = read_post(keys[1])
		return post and callback(post, args) or 'absent'
	end)
end

-- For those who keep what they read: 'lists' or 'edits'.
local function note_change(post, what)
	redis.call('HINCRBY', post.versions, what, '1')
end

-- Why moderators did what they did last.
local function set_ruling(post, reason)
	if reason then
		redis.call('HSET', post.key, 'ruling', reason)
	else
		redis.call('HDEL', post.key, 'ruling')
	end
end

-- What its text names.
local function set_links(post, links)
	if links ~= '' then
		redis.call('HSET', post.key, 'links', links)
	else
		redis.call('HDEL', post.key, 'links')
	end
end

local function set_groups(post, groups)
	if groups ~= '' then
		redis.call('HSET', post.key, 'groups', groups)
	else
		redis.call('HDEL', post.key, 'groups')
	end
end

-- Its author's list of what was removed; it is in no other.
local function note_gone(post)
	redis.call('ZADD', post.kind.gone(post), post.posted,
		member_of(post.id))
end

-- The sum over an author's posts that a check is making, some at a time, in the memory of
-- the library (check.lua): votes change it like the karma that it is compared with.
local audit = { counted = {} }

local function add_karma(post, points)
	redis.call('HINCRBY', post.karma, post.author, points)
	if audit.karma == post.karma and audit.counted[post.id] then
		audit.sum = audit.sum + points
	end
end

-- The voters from first to last, of which there may be none, and more than Lua
-- takes as arguments at once. The record goes with the last millisecond in which
-- votes are taken; while a function runs nothing expires.
local function add_voters(post, voters, first, last)
	for i = first, last, 1000 do
		redis.call('SADD', post.voters,
			unpack(voters, i, math.min(i + 999, last)))
	end
	redis.call('PEXPIREAT', post.voters,
		string.format('%d', post.closes * 1000 - 1))
end

tally.now, tally.is_recent, tally.words = now, is_recent, words
tally.by_name, tally.has_fields, tally.kinds = by_name, has_fields, kinds
tally.complete, tally.read_post = complete, read_post
tally.is_withdrawn, tally.register_change = is_withdrawn, register_change
tally.note_change, tally.set_ruling = note_change, set_ruling
tally.set_links, tally.set_groups = set_links, set_groups
tally.note_gone, tally.audit, tally.add_karma = note_gone, audit, add_karma
tally.add_voters = add_voters
end
