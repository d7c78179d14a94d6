do
local require_keys, sessions_key = import('require_keys', 'sessions_key')
local invites_key, all_member_keys = import('invites_key', 'all_member_keys')
local owner_link_key, owner_claim_key =
	import('owner_link_key', 'owner_claim_key')
local now, recovery_link_key = import('now', 'recovery_link_key')

-- password_2 user | old new
-- Replaces the hash of a member's password, and ends all the member's sessions and the link to
-- recover the account. "taken" when it is no longer old; an empty old matches any.
redis.register_function('password_2', function(keys, args)
	local sessions, link = sessions_key(keys[1]), recovery_link_key(keys[1])
	local stored = redis.call('HGET', keys[1], 'password')
	if not stored then
		return { 'absent' }
	end
	-- Salts are unique: this call was sent before.
	if stored == args[2] then
		return { 'ok' }
	end
	if args[1] ~= '' and stored ~= args[1] then
		return { 'taken' }
	end
	require_keys(keys[1], sessions, link)
	redis.call('HSET', keys[1], 'password', args[2])
	redis.call('DEL', sessions, link)
	return { 'ok' }
end)

-- unname_1 name | user
-- Releases a name, if it is that member's.
redis.register_function('unname_1', function(keys, args)
	if redis.call('GET', keys[1]) == args[1] then
		redis.call('DEL', keys[1])
	end
	return 'ok'
end)

-- Counts the owners. The first call writes those that it is given; from then on only this
-- key counts, so that of two who step down at once one remains.
local function count_owners(key, owners)
	if redis.call('SMISMEMBER', key, '0')[1] == 0 then
		redis.call('SADD', key, '0', unpack(owners))
	end
	return redis.call('SCARD', key) - 1
end

-- step_down_1 owners | user owner...
-- Removes a member from the owners: "last" when there is no other.
redis.register_function('step_down_1', function(keys, args)
	local count = count_owners(keys[1], { unpack(args, 2) })
	local is_owner = redis.call('SMISMEMBER', keys[1], args[1])[1]
	if count - is_owner < 1 then
		return 'last'
	end
	redis.call('SREM', keys[1], args[1])
	return 'ok'
end)

-- claim_owner_1 owners | user digest seconds owner...
-- Uses up a link to become the owner and reserves that for the member, for a number of
-- seconds: "taken" when the site has an owner or another member has reserved it, "absent"
-- when there is no such link. The caller gives the member the role and ends the claim.
redis.register_function('claim_owner_1', function(keys, args)
	local link = owner_link_key(keys[1], args[2])
	local claim = owner_claim_key(keys[1])
	require_keys(keys[1], link, claim)
	local claimed = redis.call('GET', claim)
	if claimed == args[1] then
		return 'ok'
	end
	if claimed or count_owners(keys[1], { unpack(args, 4) }) > 0 then
		return 'taken'
	end
	if redis.call('DEL', link) == 0 then
		return 'absent'
	end
	redis.call('SET', claim, args[1], 'EX', args[3])
	return 'ok'
end)

-- suspend_1 user | until reason
-- Suspends the member until a time, and ends all sessions, invitations and the link to recover
-- the account, with which the member might return. 0 lifts the suspension.
redis.register_function('suspend_1', function(keys, args)
	local sessions, invites = sessions_key(keys[1]), invites_key(keys[1])
	local link = recovery_link_key(keys[1])
	require_keys(keys[1], sessions, invites, link)
	if redis.call('HEXISTS', keys[1], 'name') == 0 then
		return { 'absent' }
	end
	if args[1] == '0' then
		redis.call('HDEL', keys[1], 'suspended', 'suspension')
		return { 'ok' }
	end
	redis.call('HSET', keys[1], 'suspended', args[1], 'suspension', args[2])
	redis.call('DEL', sessions, invites, link)
	return { 'ok' }
end)

-- about_1 user | text
-- Stores what the member says of themselves; or removes it, when it is empty.
redis.register_function('about_1', function(keys, args)
	local name, closed =
		unpack(redis.call('HMGET', keys[1], 'name', 'closed'))
	if not name or closed then
		return { 'absent' }
	end
	if args[1] == '' then
		redis.call('HDEL', keys[1], 'about')
	else
		redis.call('HSET', keys[1], 'about', args[1])
	end
	return { 'ok' }
end)

-- close_1 user |
-- Closes the account: no log-in, and nothing but the member's hash stays.
redis.register_function('close_1', function(keys)
	local others = all_member_keys(keys[1])
	require_keys(keys[1], unpack(others))
	if redis.call('HEXISTS', keys[1], 'name') == 0 then
		return { 'absent' }
	end
	redis.call('HSET', keys[1], 'password', '', 'role', 'member',
		'closed', now())
	redis.call('HDEL', keys[1], 'factor', 'factor_on', 'factor_used',
		'about')
	redis.call('DEL', unpack(others))
	return { 'ok' }
end)
end
