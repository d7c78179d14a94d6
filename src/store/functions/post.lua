-- Posts: what articles and comments have in common.

do
local split_key, encode_id = import('split_key', 'encode_id')
local cached = import('cached')
local require_keys, queue_key = import('require_keys', 'queue_key')
local flags_key, voters_key = import('flags_key', 'voters_key')
local thread_key = import('thread_key')
local karma_key, versions_key = import('karma_key', 'versions_key')
local backing_key = import('backing_key')
local changes_key = import('changes_key')

local function now()
	return redis.call('TIME')[1]
end

-- Whether a call that wrote at that moment may be this one, sent again within seconds
-- because its answer was lost.
local function is_recent(moment)
	return now() - (moment or 0) < 60
end

-- Calls a function that reads; nil where a key is of another type, which the scan of all
-- keys reports.
local function attempt(callback, ...)
	local is_done, result = pcall(callback, ...)
	if is_done then
		return result or nil
	elseif not string.find(type(result) == 'table' and result.err or result,
		'^WRONGTYPE ') then
		error(result, 0)
	end
end

local function words(text)
	local list = {}
	for word in string.gmatch(text or '', '%S+') do
		list[#list + 1] = word
	end
	return list
end

-- An empty list with room for eight: a table that grows into that takes 8,000 instructions.
local function with_room()
	return { nil, nil, nil, nil, nil, nil, nil, nil }
end

-- A table of the alternate names and values from args[first] on.
local function fields_by_name(args, first)
	local fields = {}
	for i = first, #args, 2 do
		fields[args[i]] = args[i + 1]
	end
	return fields
end

-- True if a hash has these fields (alternate names and values), except one: then the same
-- call may have written it, and is sent again.
local function has_fields(key, fields, but)
	local there = fields_by_name(redis.call('HGETALL', key), 1)
	for i = 1, #fields, 2 do
		if fields[i] ~= but and there[fields[i]] ~= fields[i + 1] then
			return false
		end
	end
	return true
end

-- What differs between articles (article.lua) and comments (comment.lua), which register
-- their functions here. Each kind has
--	list_keys	the keys of its lists: (post)
--	vote_keys	those of them that a vote writes, and is_reachable reads: (post)
--	is_reachable	false for a comment on a removed article: (post)
--	places		the lists that may have it, and its score in each: false where it
--		does not belong, nil where it stays as it is: (post, vote_score)
--	adopt		makes its lists those that its bucket has, before they are written: (post)
--	note_shown	counts the post, '1' once it is shown, and '-1' once it is not:
--		(post, step)
--	count	only that part of it which is a sum over posts, as karma is: (post, step)
--	require_threshold_keys	asks for what write_counts writes beside vote_keys when
--		the counts, before the change, cross a threshold: (post, threshold)
--	store_counts	writes the names and values of its counts: (post, counts)
--	write_counts	after a vote, the names and values of the counts that changed,
--		and its vote_keys: (post, counts, vote_score, threshold, lists)
--	note_edit	invalidates caches, after a change of more than its counts: (post)
--	write_removal	writes what says how it was removed, besides its hash: (post)
--	write_first_times  writes that a post that has waited is posted now: (post, named)
--	release_keys	keys that this writes, and reads, besides: (post)
--	put_placeholder	writes a text instead of those that were erased: (post, text)
--	write_fields	names and values from first on: (post, fields, first)
--	refresh		writes what is derived from it beside counts and lists; returns the
--		number of changes (refresh.lua): (post)
--	read_record	adds to its hash what is stored elsewhere: (post)
--	check_groups	notes groups that it names twice, other lists by score than its
--		bucket has, and a publisher that its link is not from: (post, note)
--	check_thread	notes where its thread disagrees with it: (post, note)
local kinds = {}

-- What the posts of a kind in a bucket have in common, and what a field is that is missing; posts
-- inherit it. Fields are strings.
local defaults_of = cached(function(tag, kind)
	local defaults = { tag = tag, kind = kinds[kind], down = '0', groups = '',
		karma = karma_key(tag), versions = versions_key(tag),
		backing = backing_key(tag) }
	defaults.__index = defaults
	return defaults
end)

-- A post without the fields of its hash but the author, "17 ann", which becomes the number. There is
-- room for others: to enlarge a table for them took 7,000 instructions.
local function make_post(key, author, tag, kind, id)
	return setmetatable({ key = key, id = id, member = encode_id(id),
		voters = voters_key(tag, id), signature = author,
		author = string.match(author, '^%d+'), posted = nil, up = nil,
		down = nil, groups = nil, interesting = nil, removed = nil },
		defaults_of(tag, kind))
end

-- Fields that functions write and do nothing else with: to leave them out of a post keeps its table
-- from growing, which took another 11,000 instructions.
local is_text = { title = true, url = true, text = true, markup = true, links = true }

-- The same with the fields that are given but for texts: alternate names and values, from
-- args[first] on. Values in moments take the place of those of their names. The other arguments are
-- what split_key says of the key, for callers who know it.
local no_moments = {}

local function complete_post(key, args, first, moments, tag, kind, id)
	if not tag then
		tag, kind, id = split_key(key)
	end
	moments = moments or no_moments
	local post = make_post(key, '', tag, kind, id)
	for i = first, #args, 2 do
		local name = args[i]
		if moments[name] then
			args[i + 1] = moments[name]
		end
		if not is_text[name] then
			post[name] = args[i + 1]
		end
	end
	post.signature, post.author = post.author, string.match(post.author, '^%d+')
	return post
end

-- A post with those fields, of which the first is its author; nil when there is none. Redis
-- searches a small hash for each name anew, in some 2,000 instructions.
local function read_fields(key, names)
	local values = redis.call('HMGET', key, unpack(names))
	if values[1] then
		local post = make_post(key, values[1], split_key(key))
		for i = 2, #names do
			post[names[i]] = values[i] or nil
		end
		return post
	end
end

local all_fields = { 'author', 'posted', 'closes', 'up', 'down', 'groups',
	'interesting', 'removed', 'scores', 'from', 'held', 'again' }

-- nil when there is none.
local function read_post(key)
	local post = read_fields(key, all_fields)
	if post then
		post.kind.read_record(post)
	end
	return post
end

-- Whether a post waits to be shown for the first time. Until then it is as one that was removed, at
-- the moment when it was posted (store/post.h); "held" stays if it is removed instead.
local function is_waiting(post)
	return post.held and post.held == post.removed
end

-- Whether a removed post was removed by its author.
local function is_withdrawn(post)
	local by = redis.call('HGET', post.key, 'removed_by') or ''
	return string.match(by, '^%d+') == post.author
end

local function flags_of(post)
	return flags_key(post.tag, post.id)
end

-- Asks for all that belongs to a post or is derived from it, and for lists that it leaves.
local function require_post(post)
	require_keys(post.key, unpack(post.left or {}))
	require_keys(post.key, post.voters, post.versions, flags_of(post),
		queue_key(post.tag), changes_key(post.tag),
		thread_key(post.tag, (string.match(post.id, '^%d+'))),
		unpack(post.kind.list_keys(post)))
end

-- For a function of one post, which must exist: (post, args).
local function register_change(name, callback)
	redis.register_function(name, function(keys, args)
		local post = read_post(keys[1])
		return post and callback(post, args) or 'absent'
	end)
end

-- Tells workers' caches of a change: 'lists' or 'edits' (store/versions.h).
local function bump_version(post, what)
	redis.call('HINCRBY', post.versions, what, '1')
end

-- Notes in the stream of changes that what a reader may find of a post has changed: its texts,
-- its author, its groups, or that it is shown (store/changes.h). Each function that changes
-- these notes it, and asks for the key before its first write. Votes are not noted. Search, which
-- has the lowest priority, may fall behind while thousands post a second; if entries were gone by
-- then, it would read all posts. 100,000 take 1.8 MB.
local changes_max = '100000'

local function note_change(post)
	redis.call('XADD', changes_key(post.tag), 'MAXLEN', '~', changes_max, '*',
		'post', post.id)
end

-- What stays of a post when its author's texts are erased. All else goes, so that a new
-- field cannot be forgotten; the schema of its noun says the same (store/schema.h).
local kept_fields = { author = true, posted = true, closes = true, edited = true,
	up = true, down = true, groups = true, interesting = true,
	removed = true, removed_by = true, ruling = true, comments = true,
	commented = true, reserved = true, thread_closed = true,
	scores = true, front = true, held = true, folded = true, kept = true,
	again = true, barred = true, barred_by_site = true }

local function erase_texts(post, text)
	local erased = {}
	for _, name in ipairs(redis.call('HKEYS', post.key)) do
		if not kept_fields[name] then
			erased[#erased + 1] = name
		end
	end
	if #erased > 0 then
		redis.call('HDEL', post.key, unpack(erased))
	end
	post.kind.put_placeholder(post, text)
end

-- Where a list of containments (contain.lua) has a post: that somebody has decided otherwise since,
-- so that an undo leaves it.
local function note_decision(post, list)
	local act = redis.call('ZSCORE', list, post.member)
	if act and string.sub(act, 1, 1) ~= '-' then
		redis.call('ZADD', list, '-' .. act, post.member)
	end
end

-- The reason that moderators gave last.
local function set_mod_note(post, reason)
	if reason then
		redis.call('HSET', post.key, 'ruling', reason)
	else
		redis.call('HDEL', post.key, 'ruling')
	end
end

-- An empty text is no field.
local function set_text(post, name, text)
	if text ~= '' then
		redis.call('HSET', post.key, name, text)
	else
		redis.call('HDEL', post.key, name)
	end
end

-- Adds a member to a list, or removes it if there is no score. Returns the number of entries
-- that changed.
local function write_place(list, score, member)
	return score and redis.call('ZADD', list, 'CH', score, member) or
		redis.call('ZREM', list, member)
end

-- Adds a post to the lists where it belongs.
local function add_to_lists(post, vote_score)
	local lists, scores = post.kind.places(post, vote_score)
	for i = 1, #lists do
		if scores[i] then
			redis.call('ZADD', lists[i], scores[i], post.member)
		end
	end
end

-- The same, and removes it from the others. Returns the number of entries that changed.
local function move_to_lists(post, vote_score)
	local lists, scores = post.kind.places(post, vote_score)
	local changes = 0
	for i = 1, #lists do
		if scores[i] ~= nil then
			changes = changes + write_place(lists[i], scores[i], post.member)
		end
	end
	return changes
end

-- The sum over an author's posts that a check is making, some at a time, in the memory of
-- the library (check.lua): votes change it like the karma that it is compared with.
local karma_audit = { counted = {} }

local function add_karma(post, points)
	redis.call('HINCRBY', post.karma, post.author, points)
	if karma_audit.karma == post.karma and karma_audit.counted[post.id] then
		karma_audit.sum = karma_audit.sum + points
	end
end

-- Adds the voters from first to last: maybe none, and maybe more than Lua accepts as
-- arguments of one call. The set expires with the last millisecond in which voting is open;
-- nothing expires while a function runs.
local function add_voters(post, voters, first, last)
	for i = first, last, 1000 do
		redis.call('SADD', post.voters,
			unpack(voters, i, math.min(i + 999, last)))
	end
	redis.call('PEXPIREAT', post.voters,
		string.format('%d', post.closes * 1000 - 1))
end

tally.now, tally.is_recent, tally.words = now, is_recent, words
tally.attempt, tally.with_room = attempt, with_room
tally.fields_by_name, tally.has_fields = fields_by_name, has_fields
tally.kinds, tally.complete_post = kinds, complete_post
tally.read_fields, tally.read_post = read_fields, read_post
tally.is_withdrawn = is_withdrawn
tally.is_waiting = is_waiting
tally.flags_of, tally.register_change = flags_of, register_change
tally.require_post = require_post
tally.bump_version, tally.erase_texts = bump_version, erase_texts
tally.set_mod_note, tally.set_text = set_mod_note, set_text
tally.note_change, tally.note_decision = note_change, note_decision
tally.add_to_lists, tally.move_to_lists = add_to_lists, move_to_lists
tally.write_place = write_place
tally.karma_audit, tally.add_karma = karma_audit, add_karma
tally.add_voters = add_voters
end
