do
local require_keys, now = import('require_keys', 'now')
local sessions_key, recovery_codes_key, recovery_link_key =
	import('sessions_key', 'recovery_codes_key', 'recovery_link_key')

local function is_suspended(user)
	return (redis.call('HGET', user, 'suspended') or 0) - now() > 0
end

-- Whether the member has no second factor, or this is it. kind is "" (none is given),
-- "session" (one was given, when the session began), "totp" with the factor's secret and the
-- step of a code, or "code" with the digest of a recovery code.
local function is_factor(user, kind, value)
	local factor = redis.call('HMGET', user, 'factor', 'factor_used')
	if not factor[1] or kind == 'session' then
		return true
	end
	if kind == 'code' then
		return redis.call('SMISMEMBER', recovery_codes_key(user), value)[1] == 1
	end
	local secret, step = string.match(value, '^(%w+) (%d+)$')
	return kind == 'totp' and secret == factor[1] and
		step - (factor[2] or 0) > 0
end

-- Uses it up: a code is valid once.
local function use_factor(user, kind, value)
	if redis.call('HEXISTS', user, 'factor') == 0 then
		return
	end
	if kind == 'totp' then
		redis.call('HSET', user, 'factor_used', string.match(value, '%d+$'))
	elseif kind == 'code' then
		redis.call('SREM', recovery_codes_key(user), value)
	end
end

local function drop_factor(user)
	redis.call('HDEL', user, 'factor', 'factor_on', 'factor_used')
end

local function write_codes(user, digests)
	redis.call('DEL', recovery_codes_key(user))
	redis.call('SADD', recovery_codes_key(user), unpack(digests))
end

-- recovery_codes_1 user | digest...
-- Replaces the member's recovery codes.
redis.register_function('recovery_codes_1', function(keys, args)
	require_keys(keys[1], recovery_codes_key(keys[1]))
	if (redis.call('HGET', keys[1], 'password') or '') == '' then
		return { 'absent' }
	end
	write_codes(keys[1], args)
	return { 'ok' }
end)

-- recovery_link_1 user | digest seconds factor
-- Makes a link to recover the account, in place of an earlier one; factor is "keep", or
-- "drop" if the link turns the second factor off.
redis.register_function('recovery_link_1', function(keys, args)
	local link = recovery_link_key(keys[1])
	require_keys(keys[1], link)
	local user = redis.call('HMGET', keys[1], 'name', 'closed')
	if not user[1] or user[2] then
		return { 'absent' }
	end
	if is_suspended(keys[1]) then
		return { 'suspended' }
	end
	redis.call('SET', link, args[3] == 'drop' and args[1] .. ' factor' or
		args[1], 'EX', args[2])
	redis.call('HSET', keys[1], 'recovery_made', now())
	return { 'ok' }
end)

-- recover_1 user | kind digest password
-- Sets the hash of a new password by a recovery "code" or a "link", which is used up, and ends
-- all sessions. "absent" when there is no such code or link, or the account is closed.
redis.register_function('recover_1', function(keys, args)
	local kind, digest, password = unpack(args)
	local codes, link = recovery_codes_key(keys[1]), recovery_link_key(keys[1])
	local sessions = sessions_key(keys[1])
	require_keys(keys[1], codes, link, sessions)
	local user = redis.call('HMGET', keys[1], 'password', 'closed')
	-- Salts are unique: this call was sent before.
	if user[1] == password then
		return { 'ok' }
	end
	local drops
	local is_valid = redis.call('SMISMEMBER', codes, digest)[1] == 1
	if kind ~= 'code' then
		local made = redis.call('GET', link) or ''
		drops = made == digest .. ' factor'
		is_valid = made == digest or drops
	end
	if not user[1] or user[2] or not is_valid then
		return { 'absent' }
	end
	if is_suspended(keys[1]) then
		return { 'suspended' }
	end
	if kind == 'code' then
		redis.call('SREM', codes, digest)
	elseif drops then
		drop_factor(keys[1])
	end
	redis.call('HSET', keys[1], 'password', password, 'recovered', now())
	redis.call('DEL', sessions, link)
	return { 'ok' }
end)

-- factor_on_1 user | password secret step digest...
-- Turns the second factor on, of which the code of a step was given, and replaces the recovery
-- codes. "taken" when another one is on, or the password is no longer the member's.
redis.register_function('factor_on_1', function(keys, args)
	local password, secret, step = unpack(args)
	require_keys(keys[1], recovery_codes_key(keys[1]))
	local user = redis.call('HMGET', keys[1], 'password', 'factor')
	if not user[1] or user[1] == '' then
		return { 'absent' }
	end
	if user[2] == secret then
		return { 'ok' }
	end
	if user[2] or user[1] ~= password then
		return { 'taken' }
	end
	redis.call('HSET', keys[1], 'factor', secret, 'factor_on', now(),
		'factor_used', step)
	write_codes(keys[1], { unpack(args, 4) })
	return { 'ok' }
end)

-- factor_off_1 user | kind value
-- Turns the second factor off by itself (is_factor).
redis.register_function('factor_off_1', function(keys, args)
	require_keys(keys[1], recovery_codes_key(keys[1]))
	if redis.call('HEXISTS', keys[1], 'factor') == 0 then
		return { 'ok' }
	end
	if not is_factor(keys[1], args[1], args[2]) then
		return { 'factor' }
	end
	use_factor(keys[1], args[1], args[2])
	drop_factor(keys[1])
	return { 'ok' }
end)

tally.is_factor, tally.use_factor = is_factor, use_factor
end
