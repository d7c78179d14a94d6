-- Hiding: the rules by which members hide articles, members, groups, publishers and words
-- (store/hidden.h).

do
local register_reader, require_keys = import('register_reader', 'require_keys')
local hidden_key, muted_key = import('hidden_key', 'muted_key')
local new_breaks, now = import('new_breaks', 'now')

-- Counts a change of the rules in the member's hash: the version under which they are cached.
local function note_rules(user)
	redis.call('HINCRBY', user, 'hidden', '1')
end

-- Whether there are rules of which the member's hash knows nothing, so that nobody reads them.
local function is_unknown(user)
	return redis.call('EXISTS', hidden_key(user)) == 1 and
		redis.call('HEXISTS', user, 'hidden') == 0
end

-- Members muted before that was hiding are in the set of muted threads: hides them instead,
-- however many they are.
local function hide_muted(user)
	local hidden, muted = hidden_key(user), muted_key(user)
	local moved = false
	for _, what in ipairs(redis.call('SMEMBERS', muted)) do
		if string.sub(what, 1, 1) == '@' then
			redis.call('ZADD', hidden, 'NX', now(), what)
			redis.call('SREM', muted, what)
			moved = true
		end
	end
	return moved
end

-- Writes what is derived from a member's rules; all keys were required.
local function refresh_hidden(user)
	if hide_muted(user) or is_unknown(user) then
		note_rules(user)
	end
end

-- True when a member has hidden an article or its author.
local function is_hidden(hidden, article, author)
	local since = redis.call('ZMSCORE', hidden, article, '@' .. author)
	return since[1] or since[2]
end

-- Requires the keys of a member's rules. Returns the rules' key and whether there is such a
-- member; and whether the account is closed.
local function read_member(user)
	local hidden = hidden_key(user)
	require_keys(user, hidden)
	local v = redis.call('HMGET', user, 'name', 'closed')
	return hidden, v[1], v[2]
end

-- hide_1 user | what max
-- Adds a rule: "full" when there are max already. "absent" also when the account is closed.
redis.register_function('hide_1', function(keys, args)
	local hidden, name, closed = read_member(keys[1])
	if not name or closed then
		return { 'absent' }
	end
	if redis.call('ZSCORE', hidden, args[1]) then
		return { 'ok' }
	end
	if redis.call('ZCARD', hidden) - args[2] >= 0 then
		return { 'full' }
	end
	redis.call('ZADD', hidden, now(), args[1])
	note_rules(keys[1])
	return { 'ok' }
end)

-- unhide_1 user | what
-- Removes a rule.
redis.register_function('unhide_1', function(keys, args)
	local hidden = read_member(keys[1])
	if redis.call('ZREM', hidden, args[1]) == 1 then
		note_rules(keys[1])
	end
	return { 'ok' }
end)

-- set_hidden_1 user | max what...
-- Replaces all rules; those that stay keep their moments. "full" when they are more than max,
-- and more than there are. "absent" also when the account is closed.
redis.register_function('set_hidden_1', function(keys, args)
	local hidden, name, closed = read_member(keys[1])
	local count = #args - 1
	if not name or closed then
		return { 'absent' }
	end
	if count - args[1] > 0 and count > redis.call('ZCARD', hidden) then
		return { 'full' }
	end
	local at, added = now(), {}
	for i = 2, #args do
		added[#added + 1] = redis.call('ZSCORE', hidden, args[i]) or at
		added[#added + 1] = args[i]
	end
	redis.call('DEL', hidden)
	for i = 1, #added, 2 do
		redis.call('ZADD', hidden, added[i], added[i + 1])
	end
	note_rules(keys[1])
	return { 'ok' }
end)

-- rename_hidden_1 user | what into
-- Replaces a rule, which keeps its moment, unless the other is there.
redis.register_function('rename_hidden_1', function(keys, args)
	local hidden = read_member(keys[1])
	local since = redis.call('ZSCORE', hidden, args[1])
	if since then
		redis.call('ZREM', hidden, args[1])
		redis.call('ZADD', hidden, 'NX', since, args[2])
		note_rules(keys[1])
	end
	return { 'ok' }
end)

-- load_hidden_1 user | what at max
-- Adds a rule from a dump, at 0 since now; "full" when there are max already.
redis.register_function('load_hidden_1', function(keys, args)
	local hidden, name, closed = read_member(keys[1])
	if not name then
		return { 'absent' }
	end
	if closed or redis.call('ZSCORE', hidden, args[1]) then
		return { 'taken' }
	end
	if redis.call('ZCARD', hidden) - args[3] >= 0 then
		return { 'full' }
	end
	redis.call('ZADD', hidden, args[2] ~= '0' and args[2] or now(), args[1])
	note_rules(keys[1])
	return { 'ok' }
end)

-- check_hidden_1 user | max
-- Returns a member's rules, alternately rule and moment, and then the breaks.
register_reader('check_hidden_1', function(keys, args)
	local hidden, name, closed = read_member(keys[1])
	local breaks, note = new_breaks()
	local count = redis.call('ZCARD', hidden)
	if count > 0 and not name then
		note('there is no such member')
	elseif count > 0 and closed then
		note('the account is closed')
	end
	if count - args[1] > 0 then
		note('it has %d, and at most %s are kept', count, args[1])
	end
	if name and is_unknown(keys[1]) then
		note('the member\'s hash says that there is nothing')
	end
	return { redis.call('ZRANGE', hidden, '0', '-1', 'WITHSCORES'),
		unpack(breaks) }
end)

tally.refresh_hidden, tally.is_hidden = refresh_hidden, is_hidden
end
