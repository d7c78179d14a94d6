-- Sets of posts in a member's slot: what the member has saved (saved.lua), and has voted on
-- (vote_history.lua).

do
local require_keys, register_reader = import('require_keys', 'register_reader')
local new_breaks = import('new_breaks')

-- Whether the account is there and open; all keys of the call are required first.
local function is_open_account(user, set)
	require_keys(user, set)
	local v = redis.call('HMGET', user, 'name', 'closed')
	return v[1] and not v[2]
end

-- Registers a reader by which the check reads such a set:
--
-- NAME user | start end
-- Returns a range of the set, newest first, alternately id and score. When start is 0, also
-- the breaks; examine notes those of the kind.
local function register_posts_check(name, key_of, examine)
	register_reader(name, function(keys, args)
		local set = key_of(keys[1])
		local breaks, note = new_breaks()
		local is_open = is_open_account(keys[1], set)
		local entries = redis.call('ZREVRANGE', set, args[1], args[2],
			'WITHSCORES')
		if args[1] == '0' and #entries > 0 then
			if is_open then
				examine(keys[1], note)
			else
				note('there is no such member, or the account is closed')
			end
		end
		return { entries, unpack(breaks) }
	end)
end

tally.is_open_account = is_open_account
tally.register_posts_check = register_posts_check
end
