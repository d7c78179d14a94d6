-- A post as the functions see it: what an article and a comment have in common.

local function now()
	return tonumber(redis.call('TIME')[1])
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

-- What a kind of post has beside what all have; each has
--	enter	puts it into its lists: (post, vote_score)
--	leave	takes it out of them: (post)
--	moved	a vote changed its counts: (post, vote_score, threshold, moment)
--	check	notes where it is not in them: (post, vote_score, note)
local kinds = {}

-- The post of a key with what its hash says, or with the fields that its hash is
-- about to have.
local function post_of(key, fields)
	local post, keys = fields, keys_of(key)
	post.key, post.keys, post.kind = key, keys, kinds[keys.kind]
	post.author = string.match(fields.author, '^%d+')
	for _, name in ipairs({ 'posted', 'closes', 'up', 'down',
		'interesting', 'removed' }) do
		post[name] = tonumber(fields[name])
	end
	post.groups = words(fields.groups)
	return post
end

-- What functions look at, of every kind of post.
local looked_at = { 'posted', 'closes', 'up', 'down', 'author', 'removed',
	'groups', 'interesting' }

-- nil or false when there is none.
local function read_post(key)
	local values, fields = redis.call('HMGET', key, unpack(looked_at)), {}
	for i, name in ipairs(looked_at) do
		fields[name] = values[i] or nil
	end
	return values[1] and post_of(key, fields)
end

-- For a function of one post, which must exist: (post, args).
local function register_change(name, callback)
	redis.register_function(name, function(keys, args)
		local post = read_post(keys[1])
		return post and callback(post, args) or { 'absent' }
	end)
end

-- For those who keep what they read: 'lists', 'edits', or the id of a member.
local function note_change(post, what)
	redis.call('HINCRBY', post.keys.versions, what, 1)
end

-- The ids from first to last, of which there may be none, and more than Lua takes
-- as arguments at once.
local function add_voters(post, key, ids, first, last)
	for i = first, last, 1000 do
		redis.call('SADD', key, unpack(ids, i, math.min(i + 999, last)))
	end
	redis.call('EXPIREAT', key, post.closes)
end

local function add_karma(post, points)
	if points ~= 0 then
		redis.call('HINCRBY', post.keys.karma, post.author, points)
	end
end

-- Votes count until voting closes and while who voted is recorded. The record is
-- asked for as well: once it has expired it is gone for ever, whatever the clock
-- says now, and its two sets may expire one after the other.
local function is_open(post, moment)
	return moment < post.closes and
		redis.call('EXISTS', post.keys.up, post.keys.down) >=
		(post.down > 0 and 2 or 1)
end
