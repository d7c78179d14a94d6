-- The groups that members follow (store/follows.h).

do
local require_keys, follows_key = import('require_keys', 'follows_key')
local read_member, is_open_account = import('read_member', 'is_open_account')
local count_change, is_uncounted = import('count_change', 'is_uncounted')
local register_set_check = import('register_set_check')

-- Writes what is derived from the names; all keys were required.
local function refresh_follows(user)
	if is_uncounted(user, follows_key(user), 'follows') then
		count_change(user, 'follows')
	end
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
	count_change(user, 'follows')
	return { 'ok' }
end

-- follow_1 user | group max
-- Follows a group. "absent" also when the account is closed.
redis.register_function('follow_1', function(keys, args)
	local follows = follows_key(keys[1])
	if not is_open_account(keys[1], follows) then
		return { 'absent' }
	end
	return add(keys[1], follows, args[1], args[2], 'ok')
end)

-- unfollow_1 user | group
redis.register_function('unfollow_1', function(keys, args)
	local follows = follows_key(keys[1])
	require_keys(keys[1], follows)
	if redis.call('SREM', follows, args[1]) == 1 then
		count_change(keys[1], 'follows')
	end
	return { 'ok' }
end)

-- rename_followed_1 user | group into
-- Follows a group in place of another, if that is followed.
redis.register_function('rename_followed_1', function(keys, args)
	local follows = follows_key(keys[1])
	require_keys(keys[1], follows)
	if redis.call('SREM', follows, args[1]) == 1 then
		redis.call('SADD', follows, args[2])
		count_change(keys[1], 'follows')
	end
	return { 'ok' }
end)

-- load_follow_1 user | group max
-- Follows a group from a dump.
redis.register_function('load_follow_1', function(keys, args)
	local follows = follows_key(keys[1])
	local name, closed = read_member(keys[1], follows)
	if not name then
		return { 'absent' }
	elseif closed then
		return { 'taken' }
	end
	return add(keys[1], follows, args[1], args[2], 'taken')
end)

-- check_follows_1 user | max
register_set_check('check_follows_1', follows_key, 'follows', function(follows)
	local groups = redis.call('SMEMBERS', follows)
	return groups, #groups
end)

tally.refresh_follows = refresh_follows
end
