-- Loads posts from a dump: writes the record, and what is derived from it by the same function
-- as a repair (refresh.lua).

do
local register_reader, require_keys = import('register_reader', 'require_keys')
local fields_by_name, kinds = import('fields_by_name', 'kinds')
local complete_post, read_post = import('complete_post', 'read_post')
local flags_of, require_post = import('flags_of', 'require_post')
local add_karma, add_voters = import('add_karma', 'add_voters')
local has_article, refresh_post = import('has_article', 'refresh_post')
local note_change = import('note_change')

-- True if the texts of an article and of a dump's article are the same. An edited title or
-- text, and an article that its author withdrew on either side, are not compared.
local function has_same_content(there, fields)
	local v = redis.call('HMGET', there.key, 'title', 'url', 'text', 'edited',
		'removed_by')
	local author = there.author
	if string.match(v[5] or '', '^%d+') == author or
		string.match(fields.removed_by or '', '^%d+') == author then
		return true
	end
	return (v[2] or nil) == fields.url and
		(v[4] or fields.edited or
			v[1] == fields.title and (v[3] or nil) == fields.text)
end

-- True if a post is the one that a dump has under the same number. The author, the time of
-- posting and the parent never change.
local function is_same_post(there, fields)
	if there.author ~= string.match(fields.author, '^%d+') or
		(there.posted or 0) - fields.posted ~= 0 or
		(there.parent or 0) - (fields.parent or 0) ~= 0 then
		return false
	end
	return there.kind == kinds.comment or has_same_content(there, fields)
end

-- True if a comment's record in its thread is lost, and only its hash is there: a load writes
-- the record again, and what is there stays.
local function lacks_record(key, fields)
	local there = read_post(key)
	return there and there.kind == kinds.comment and there.posted == 0 and
		there.author == string.match(fields.author, '^%d+')
end

local function keep_stored(key, args, first)
	for i = first, #args, 2 do
		args[i + 1] = redis.call('HGET', key, args[i]) or args[i + 1]
	end
end

-- "1" when the existing post is the dump's, and "0" when it is another.
local function sameness(key, fields)
	local there = read_post(key)
	return there and is_same_post(there, fields) and '1' or '0'
end

-- same_1 post | name value...
-- Compares a post with a dump's: "absent", also of a comment that lacks its record; "taken"
-- and 1, or 0 when it is another post.
register_reader('same_1', function(keys, args)
	local fields = fields_by_name(args, 1)
	if redis.call('EXISTS', keys[1]) == 0 or lacks_record(keys[1], fields) then
		return { 'absent' }
	end
	return { 'taken', sameness(keys[1], fields) }
end)

-- Reserves the numbers of an article's comments up to the last one of the dump: members'
-- comments get higher numbers, even before the dump's comments are loaded.
local function reserve_numbers(key, last)
	local v = redis.call('HMGET', key, 'commented', 'reserved')
	if last - (v[1] or 0) > 0 and last - (v[2] or 0) > 0 then
		redis.call('HSET', key, 'reserved', last)
	end
end

-- Writes the voters, args[at] and the following (count is their number), and then the
-- flags, up to args[first]; not those of a post that has some.
local function write_voters_and_flags(post, args, at, count, first)
	local flags = at + math.max(count, 0)
	if count >= 0 and redis.call('EXISTS', post.voters) == 0 then
		add_voters(post, { '0' }, 1, 1)
		add_voters(post, args, at, flags - 1)
	end
	if redis.call('EXISTS', flags_of(post)) == 1 then
		return
	end
	for i = flags, first - 1, 2 do
		redis.call('HSET', flags_of(post), args[i], args[i + 1])
	end
end

-- Adds a post to the sums that it is part of.
local function count_post(post)
	if post.up - post.down ~= 1 then
		add_karma(post, string.format('%d', post.up - post.down - 1))
	end
	if not post.removed then
		post.kind.count(post, '1')
	end
end

-- Implements load_5; args[at] is the number of voters.
local function load_post(key, args, at, reserved)
	local count = tonumber(args[at])
	local first = at + 2 + math.max(count, 0) + 2 * args[at + 1]
	local fields = fields_by_name(args, first)
	require_keys(key)
	if redis.call('EXISTS', key) == 1 then
		if not lacks_record(key, fields) then
			local same = sameness(key, fields)
			if same == '1' then
				reserve_numbers(key, reserved)
			end
			return { 'taken', same }
		end
		keep_stored(key, args, first)
	end
	local post = complete_post(key, args, first)
	post.kind.adopt(post)
	require_post(post)
	require_keys(key, post.karma)
	if not has_article(post) then
		return { 'absent' }
	end
	post.kind.write_fields(post, args, first)
	reserve_numbers(key, reserved)
	write_voters_and_flags(post, args, at + 2, count, first)
	count_post(post)
	note_change(post)
	post = read_post(key)
	post.kind.adopt(post)
	refresh_post(post, args[1])
	return { 'ok' }
end

-- load_5 post | vote_score reserved voters flags voter... flag... name value...
-- Writes a post from a dump. voters is the number of voters that follow, negative ids for
-- downvotes; -1 when voting has closed, and there is no set of voters. flags is the number
-- of flags, two arguments each: a member and the value. reserved is the number of an
-- article's last comment (or 0), up to which numbers are reserved. "taken" when the post
-- exists, and 1 when it is the same post (the load is repeated), or 0 when it is another;
-- "absent" when it is a comment on an article that does not exist.
redis.register_function('load_5', function(keys, args)
	return load_post(keys[1], args, 3, args[2])
end)

-- load_4 post | vote_score voters flags voter... flag... name value...
-- The same without reserved, as the last release calls it.
redis.register_function('load_4', function(keys, args)
	return load_post(keys[1], args, 2, '0')
end)
end
