do
local require_keys, now = import('require_keys', 'now')
local register_reader, new_breaks = import('register_reader', 'new_breaks')
local sessions_key, recovery_codes_key, recovery_link_key =
	import('sessions_key', 'recovery_codes_key', 'recovery_link_key')

local inbox_key, add_notice = import('inbox_key', 'add_notice')
local encode_id = import('encode_id')

-- What inboxes say of a recovery code (notice_words in store/inbox.c).
local SET_PASSWORD, WAS_FACTOR = 4, 5

-- Uses up a code, and tells the member.
local function use_code(user, digest, what, max)
	redis.call('SREM', recovery_codes_key(user), digest)
	local left = redis.call('SCARD', recovery_codes_key(user))
	add_notice(user, encode_id(now()) .. string.char(left, what), max)
end

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

-- Uses it up: a code is valid once. max is of notices.
local function use_factor(user, kind, value, max)
	if redis.call('HEXISTS', user, 'factor') == 0 then
		return
	end
	if kind == 'totp' then
		redis.call('HSET', user, 'factor_used', string.match(value, '%d+$'))
	elseif kind == 'code' then
		use_code(user, value, WAS_FACTOR, max)
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

-- recover_1 user | kind digest password max
-- Sets the hash of a new password by a recovery "code", of which the inbox tells, which has max
-- entries, or by a "link"; either is used up. Ends all sessions. "absent" when there is no such
-- code or link, or the account is closed.
redis.register_function('recover_1', function(keys, args)
	local kind, digest, password = unpack(args)
	local codes, link = recovery_codes_key(keys[1]), recovery_link_key(keys[1])
	local sessions = sessions_key(keys[1])
	require_keys(keys[1], codes, link, sessions, inbox_key(keys[1]))
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
		use_code(keys[1], digest, SET_PASSWORD, args[4])
	elseif drops then
		drop_factor(keys[1])
	end
	redis.call('HSET', keys[1], 'password', password, 'recovered', now())
	redis.call('DEL', sessions, link)
	return { 'ok' }
end)

-- factor_on_1 user | password secret step digest...
-- Turns the second factor on, of which the code of a step was given, and replaces the recovery
-- codes. "taken" when the password is no longer the member's, or a factor is on, unless this call
-- turned it on: a form that is sent again makes other codes, which are not stored.
redis.register_function('factor_on_1', function(keys, args)
	local password, secret, step = unpack(args)
	local codes = recovery_codes_key(keys[1])
	require_keys(keys[1], codes)
	local user = redis.call('HMGET', keys[1], 'password', 'factor')
	if not user[1] or user[1] == '' then
		return { 'absent' }
	end
	if user[2] == secret and
		redis.call('SMISMEMBER', codes, args[4])[1] == 1 then
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

-- factor_off_1 user | kind value max
-- Turns the second factor off by itself (is_factor); max is of notices.
redis.register_function('factor_off_1', function(keys, args)
	require_keys(keys[1], recovery_codes_key(keys[1]), inbox_key(keys[1]))
	if redis.call('HEXISTS', keys[1], 'factor') == 0 then
		return { 'ok' }
	end
	if not is_factor(keys[1], args[1], args[2]) then
		return { 'factor' }
	end
	use_factor(keys[1], args[1], args[2], args[3])
	drop_factor(keys[1])
	return { 'ok' }
end)

-- As crypto_digest_hex makes them (base/crypto.h).
local function is_digest(text)
	return #text == 64 and string.find(text, '[^0-9a-f]') == nil
end

local function is_link(text)
	return is_digest((string.gsub(text, ' factor$', '')))
end

-- Removes what can recover no account, and more codes than there can be; without its secret, or
-- without since when it is on, a second factor is off. All keys were required.
local function refresh_recovery(user, max)
	local codes, link = recovery_codes_key(user), recovery_link_key(user)
	local kept = 0
	for _, code in ipairs(redis.call('SMEMBERS', codes)) do
		if is_digest(code) and kept - max < 0 then
			kept = kept + 1
		else
			redis.call('SREM', codes, code)
		end
	end
	local made = redis.call('GET', link)
	if made and not is_link(made) then
		redis.call('DEL', link)
	end
	local factor = redis.call('HMGET', user, 'factor', 'factor_on')
	if factor[1] and not factor[2] then
		redis.call('HSET', user, 'factor_on', now())
	elseif factor[2] and not factor[1] then
		drop_factor(user)
	end
end

local function note_damaged_codes(codes, max, note)
	for _, code in ipairs(codes) do
		if not is_digest(code) then
			note('a code is no digest')
		end
	end
	if #codes - max > 0 then
		note('it has %d codes, and at most %s are kept', #codes, max)
	end
end

local function note_damaged_factor(factor, on, note)
	if (factor or on) and not (factor and on) then
		note('the second factor is on in part')
	elseif factor and not string.find(factor, '^[A-Z2-7]+$') or
		factor and #factor ~= 32 then
		note('the secret of the second factor is none')
	end
end

-- check_recovery_1 user | max
-- Returns the breaks; max is of codes.
register_reader('check_recovery_1', function(keys, args)
	local codes_key, link_key =
		recovery_codes_key(keys[1]), recovery_link_key(keys[1])
	require_keys(keys[1], codes_key, link_key)
	local breaks, note = new_breaks()
	local user = redis.call('HMGET', keys[1], 'name', 'closed', 'factor',
		'factor_on')
	local codes = redis.call('SMEMBERS', codes_key)
	local link = redis.call('GET', link_key)
	local has_any = #codes > 0 or link
	if has_any and not user[1] then
		note('there is no such member')
	elseif (has_any or user[3]) and user[2] then
		note('the account is closed')
	end
	note_damaged_codes(codes, args[1], note)
	if link and not is_link(link) then
		note('the link is no digest')
	end
	note_damaged_factor(user[3], user[4], note)
	return breaks
end)

tally.is_factor, tally.use_factor = is_factor, use_factor
tally.refresh_recovery = refresh_recovery
end
