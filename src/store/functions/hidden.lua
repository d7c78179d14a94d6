-- Hiding: the rules by which members hide articles, members, groups, publishers and words
-- (store/hidden.h).

do
local hidden_key, muted_key = import('hidden_key', 'muted_key')
local require_keys, now = import('require_keys', 'now')
local read_member, is_open_account = import('read_member', 'is_open_account')
local count_change, is_uncounted = import('count_change', 'is_uncounted')
local register_set_check = import('register_set_check')

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
	if hide_muted(user) or is_uncounted(user, hidden_key(user), 'hidden') then
		count_change(user, 'hidden')
	end
end

-- True when a member has hidden an article or its author.
local function is_hidden(hidden, article, author)
	local since = redis.call('ZMSCORE', hidden, article, '@' .. author)
	return since[1] or since[2]
end

-- hide_1 user | what max
-- Adds a rule: "full" when there are max already. "absent" also when the account is closed.
redis.register_function('hide_1', function(keys, args)
	local hidden = hidden_key(keys[1])
	if not is_open_account(keys[1], hidden) then
		return { 'absent' }
	end
	if redis.call('ZSCORE', hidden, args[1]) then
		return { 'ok' }
	end
	if redis.call('ZCARD', hidden) - args[2] >= 0 then
		return { 'full' }
	end
	redis.call('ZADD', hidden, now(), args[1])
	count_change(keys[1], 'hidden')
	return { 'ok' }
end)

-- unhide_1 user | what
-- Removes a rule.
redis.register_function('unhide_1', function(keys, args)
	local hidden = hidden_key(keys[1])
	require_keys(keys[1], hidden)
	if redis.call('ZREM', hidden, args[1]) == 1 then
		count_change(keys[1], 'hidden')
	end
	return { 'ok' }
end)

-- set_hidden_1 user | max what...
-- Replaces all rules; those that stay keep their moments. "full" when they are more than max,
-- and more than there are. "absent" also when the account is closed.
redis.register_function('set_hidden_1', function(keys, args)
	local hidden = hidden_key(keys[1])
	local name, closed = read_member(keys[1], hidden)
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
	count_change(keys[1], 'hidden')
	return { 'ok' }
end)

-- rename_hidden_1 user | what into
-- Replaces a rule, which keeps its moment, unless the other is there.
redis.register_function('rename_hidden_1', function(keys, args)
	local hidden = hidden_key(keys[1])
	require_keys(keys[1], hidden)
	local since = redis.call('ZSCORE', hidden, args[1])
	if since then
		redis.call('ZREM', hidden, args[1])
		redis.call('ZADD', hidden, 'NX', since, args[2])
		count_change(keys[1], 'hidden')
	end
	return { 'ok' }
end)

-- load_hidden_1 user | what at max
-- Adds a rule from a dump, at 0 since now; "full" when there are max already.
redis.register_function('load_hidden_1', function(keys, args)
	local hidden = hidden_key(keys[1])
	local name, closed = read_member(keys[1], hidden)
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
	count_change(keys[1], 'hidden')
	return { 'ok' }
end)

-- check_hidden_1 user | max
-- The entries are rules and moments in turn.
register_set_check('check_hidden_1', hidden_key, 'hidden', function(hidden)
	local rules = redis.call('ZRANGE', hidden, '0', '-1', 'WITHSCORES')
	return rules, #rules / 2
end)

tally.refresh_hidden, tally.is_hidden = refresh_hidden, is_hidden
end
