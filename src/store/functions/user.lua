do
local all_here, sessions_of = import('all_here', 'sessions_of')
local invites_of, inbox_of = import('invites_of', 'inbox_of')
local muted_of, seen_of = import('muted_of', 'seen_of')
local now = import('now')

-- password_2 user | old new
-- Replaces the hash of a member's password, and ends all the member's sessions.
-- "taken" when it is no longer old; an empty old stands for any.
redis.register_function('password_2', function(keys, args)
	local sessions = sessions_of(keys[1])
	local kept = redis.call('HGET', keys[1], 'password')
	if not kept then
		return { 'absent' }
	end
	-- No other has the same salt: this was sent before.
	if kept == args[2] then
		return { 'ok' }
	end
	if args[1] ~= '' and kept ~= args[1] then
		return { 'taken' }
	end
	all_here(keys[1], sessions)
	redis.call('HSET', keys[1], 'password', args[2])
	redis.call('DEL', sessions)
	return { 'ok' }
end)

-- unname_1 name | user
-- The name is nobody's, if it was that member's.
redis.register_function('unname_1', function(keys, args)
	if redis.call('GET', keys[1]) == args[1] then
		redis.call('DEL', keys[1])
	end
	return 'ok'
end)

-- step_down_1 owners | user owner...
-- The member is not counted among the owners any more: "last" when there is no other. Who
-- they are is told by the caller, and taken when nobody was counted before; from then on
-- this key alone decides, so of two who go at once one stays.
redis.register_function('step_down_1', function(keys, args)
	local counted = redis.call('SMISMEMBER', keys[1], '0', args[1])
	if counted[1] == 0 then
		redis.call('SADD', keys[1], '0', unpack(args, 2))
		counted = redis.call('SMISMEMBER', keys[1], '0', args[1])
	end
	if redis.call('SCARD', keys[1]) - 1 - counted[2] < 1 then
		return 'last'
	end
	redis.call('SREM', keys[1], args[1])
	return 'ok'
end)

-- suspend_1 user | until reason
-- Keeps the member out until a moment, and ends all the member's sessions and
-- invitations, by which the member might come back; with 0 it lets the member in again.
redis.register_function('suspend_1', function(keys, args)
	local sessions, invites = sessions_of(keys[1]), invites_of(keys[1])
	all_here(keys[1], sessions, invites)
	if redis.call('HEXISTS', keys[1], 'name') == 0 then
		return { 'absent' }
	end
	if args[1] == '0' then
		redis.call('HDEL', keys[1], 'suspended', 'suspension')
		return { 'ok' }
	end
	redis.call('HSET', keys[1], 'suspended', args[1], 'suspension', args[2])
	redis.call('DEL', sessions, invites)
	return { 'ok' }
end)

-- close_1 user |
-- Nobody logs in as the member any more; sessions and invitations are gone, and so is
-- what the member was told, has muted and has seen.
redis.register_function('close_1', function(keys)
	local sessions, invites = sessions_of(keys[1]), invites_of(keys[1])
	local inbox, muted, seen = inbox_of(keys[1]), muted_of(keys[1]),
		seen_of(keys[1])
	all_here(keys[1], sessions, invites, inbox, muted, seen)
	if redis.call('HEXISTS', keys[1], 'name') == 0 then
		return { 'absent' }
	end
	redis.call('HSET', keys[1], 'password', '', 'role', 'member',
		'closed', now())
	redis.call('DEL', sessions, invites, inbox, muted, seen)
	return { 'ok' }
end)
end
