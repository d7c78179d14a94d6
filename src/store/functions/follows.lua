-- The groups that members follow (store/follows.h).

do
local register_reader, require_keys = import('register_reader', 'require_keys')
local follows_key, new_breaks = import('follows_key', 'new_breaks')

-- Counts a change in the member's hash: the version under which the names are cached.
local function note_change(user)
	redis.call('HINCRBY', user, 'follows', '1')
end

-- Whether there are names of which the member's hash knows nothing, so that nobody reads them.
local function is_unknown(user)
	return redis.call('EXISTS', follows_key(user)) == 1 and
		redis.call('HEXISTS', user, 'follows') == 0
end

-- Writes what is derived from the names; all keys were required.
local function refresh_follows(user)
	if is_unknown(user) then
		note_change(user)
	end
end

-- Requires the keys. Returns that of the names, and whether there is such a member; and whether
-- the account is closed.
local function read_member(user)
	local follows = follows_key(user)
	require_keys(user, follows)
	local v = redis.call('HMGET', user, 'name', 'closed')
	return follows, v[1], v[2]
end

-- Adds a name, unless it is there; "full" when there are max already.
local function add(user, follows, group, max, there)
	if redis.call('SMISMEMBER', follows, group)[1] == 1 then
		return { there }
	end
	if redis.call('SCARD', follows) - max >= 0 then
		return { 'full' }
	end
	redis.call('SADD', follows, group)
	note_change(user)
	return { 'ok' }
end

-- follow_1 user | group max
-- Follows a group. "absent" also when the account is closed.
redis.register_function('follow_1', function(keys, args)
	local follows, name, closed = read_member(keys[1])
	if not name or closed then
		return { 'absent' }
	end
	return add(keys[1], follows, args[1], args[2], 'ok')
end)

-- unfollow_1 user | group
redis.register_function('unfollow_1', function(keys, args)
	local follows = read_member(keys[1])
	if redis.call('SREM', follows, args[1]) == 1 then
		note_change(keys[1])
	end
	return { 'ok' }
end)

-- rename_followed_1 user | group into
-- Follows a group in place of another, if that is followed.
redis.register_function('rename_followed_1', function(keys, args)
	local follows = read_member(keys[1])
	if redis.call('SREM', follows, args[1]) == 1 then
		redis.call('SADD', follows, args[2])
		note_change(keys[1])
	end
	return { 'ok' }
end)

-- load_follow_1 user | group max
-- Follows a group from a dump.
redis.register_function('load_follow_1', function(keys, args)
	local follows, name, closed = read_member(keys[1])
	if not name then
		return { 'absent' }
	elseif closed then
		return { 'taken' }
	end
	return add(keys[1], follows, args[1], args[2], 'taken')
end)

-- check_follows_1 user | max
-- Returns the names, and then the breaks.
register_reader('check_follows_1', function(keys, args)
	local follows, name, closed = read_member(keys[1])
	local breaks, note = new_breaks()
	local count = redis.call('SCARD', follows)
	if count > 0 and not name then
		note('there is no such member')
	elseif count > 0 and closed then
		note('the account is closed')
	end
	if count - args[1] > 0 then
		note('there are %d, and at most %s are kept', count, args[1])
	end
	if name and is_unknown(keys[1]) then
		note('the member\'s hash says that there are none')
	end
	return { redis.call('SMEMBERS', follows), unpack(breaks) }
end)

tally.refresh_follows = refresh_follows
end
