-- Sets in a member's slot: what the member follows (follows.lua), hides (hidden.lua), has saved
-- (saved.lua) and has voted on (vote_history.lua). A field of the member's hash counts the
-- changes of a set, so that workers can cache it, and need not ask whether there is one.

do
local require_keys, register_reader = import('require_keys', 'register_reader')
local new_breaks = import('new_breaks')

-- Whether there is such a member, and whether the account is closed; the keys of the call are
-- required first.
local function read_member(user, set)
	require_keys(user, set)
	local v = redis.call('HMGET', user, 'name', 'closed')
	return v[1], v[2]
end

local function is_open_account(user, set)
	local name, closed = read_member(user, set)
	return name and not closed
end

local function count_change(user, field)
	redis.call('HINCRBY', user, field, '1')
end

-- Whether there is a set of which the member's hash knows nothing, so that nobody reads it.
local function is_uncounted(user, set, field)
	return redis.call('EXISTS', set) == 1 and
		redis.call('HEXISTS', user, field) == 0
end

-- Registers a reader by which the check reads a set as a whole:
--
-- NAME user | max
-- Returns what read returns of the set, which also returns its size, and then the breaks. field,
-- if any, is the one that counts its changes.
local function register_set_check(name, key_of, field, read)
	register_reader(name, function(keys, args)
		local set = key_of(keys[1])
		local is_member, closed = read_member(keys[1], set)
		local breaks, note = new_breaks()
		local entries, size = read(set)
		if size > 0 and not is_member then
			note('there is no such member')
		elseif size > 0 and closed then
			note('the account is closed')
		end
		if size - args[1] > 0 then
			note('it has %d, and at most %s are kept', size, args[1])
		end
		if field and is_member and is_uncounted(keys[1], set, field) then
			note('its changes are not counted')
		end
		return { entries, unpack(breaks) }
	end)
end

-- Registers a reader by which the check reads a sorted set of posts:
--
-- NAME user | start end
-- Returns a range of the set, newest first, alternately id and score. When start is 0, also
-- the breaks; field, if any, is the one that counts its changes.
local function register_posts_check(name, key_of, field)
	register_reader(name, function(keys, args)
		local set = key_of(keys[1])
		local breaks, note = new_breaks()
		local is_open = is_open_account(keys[1], set)
		local entries = redis.call('ZREVRANGE', set, args[1], args[2],
			'WITHSCORES')
		if args[1] == '0' and #entries > 0 then
			if not is_open then
				note('there is no such member, or the account is closed')
			elseif field and is_uncounted(keys[1], set, field) then
				note('its changes are not counted')
			end
		end
		return { entries, unpack(breaks) }
	end)
end

tally.read_member, tally.is_open_account = read_member, is_open_account
tally.count_change, tally.is_uncounted = count_change, is_uncounted
tally.register_set_check = register_set_check
tally.register_posts_check = register_posts_check
end
