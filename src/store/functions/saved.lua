-- What members have saved (store/saved.h).

do
local saved_key, now = import('saved_key', 'now')
local is_open_account, count_change = import('is_open_account', 'count_change')
local is_uncounted = import('is_uncounted')
local register_posts_check = import('register_posts_check')

-- Saves a post that is not: "full" when max are saved.
local function add_saved(user, post, moment, max)
	local saved = saved_key(user)
	if redis.call('ZCARD', saved) - max >= 0 then
		return { 'full' }
	end
	redis.call('ZADD', saved, moment, post)
	count_change(user, 'saves')
	return { 'ok' }
end

local function has_saved(user, post)
	return redis.call('ZSCORE', saved_key(user), post)
end

-- save_1 user | post max
-- Saves a post, as of now; does nothing when it is saved. "full" when max are. "absent" also
-- when the account is closed.
redis.register_function('save_1', function(keys, args)
	if not is_open_account(keys[1], saved_key(keys[1])) then
		return { 'absent' }
	elseif has_saved(keys[1], args[1]) then
		return { 'ok' }
	end
	return add_saved(keys[1], args[1], now(), args[2])
end)

-- unsave_1 user | post
-- The reverse.
redis.register_function('unsave_1', function(keys, args)
	if not is_open_account(keys[1], saved_key(keys[1])) then
		return { 'absent' }
	elseif has_saved(keys[1], args[1]) then
		redis.call('ZREM', saved_key(keys[1]), args[1])
		count_change(keys[1], 'saves')
	end
	return { 'ok' }
end)

-- load_saved_1 user | post moment max
-- Saves a post from a dump: "taken" when it is saved, or the account is closed; "full" when
-- max are.
redis.register_function('load_saved_1', function(keys, args)
	if redis.call('HEXISTS', keys[1], 'name') == 0 then
		return { 'absent' }
	elseif not is_open_account(keys[1], saved_key(keys[1])) or
		has_saved(keys[1], args[1]) then
		return { 'taken' }
	end
	return add_saved(keys[1], args[1], args[2], args[3])
end)

-- check_saved_1 user | start end
register_posts_check('check_saved_1', saved_key, 'saves')

-- Counts the changes of a set that has posts: caches have that of none.
local function refresh_saved(user)
	if is_uncounted(user, saved_key(user), 'saves') then
		count_change(user, 'saves')
	end
end

tally.refresh_saved = refresh_saved
end
