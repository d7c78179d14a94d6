do
local require_keys, sessions_key = import('require_keys', 'sessions_key')
local now, recovery_codes_key = import('now', 'recovery_codes_key')
local is_factor, use_factor = import('is_factor', 'use_factor')
local inbox_key = import('inbox_key')

local function start_session(keys, args, kind, value, notices)
	local sessions = sessions_key(keys[1])
	if redis.call('HGET', keys[1], 'password') ~= args[5] then
		return { 'absent' }
	end
	require_keys(keys[1], sessions, recovery_codes_key(keys[1]),
		inbox_key(keys[1]))
	local moment, others = now(), {}
	if (redis.call('HGET', keys[1], 'suspended') or 0) - moment > 0 then
		return { 'suspended' }
	end
	-- Digests are unique: this call was sent before, and has used the factor up.
	if redis.call('HEXISTS', sessions, args[1]) == 1 then
		return { 'ok' }
	end
	if not is_factor(keys[1], kind, value) then
		return { 'factor' }
	end
	use_factor(keys[1], kind, value, notices)
	local all = redis.call('HGETALL', sessions)
	for i = 1, #all, 2 do
		if all[i] ~= args[1] then
			others[#others + 1] = { digest = all[i], seen =
				tonumber(string.match(all[i + 1], ' (%d+)')) or 0 }
		end
	end
	table.sort(others, function(a, b) return a.seen > b.seen end)
	for i = tonumber(args[4]), #others do
		redis.call('HDEL', sessions, others[i].digest)
	end
	redis.call('HSET', sessions, args[1],
		moment .. ' ' .. moment .. ' ' .. args[2])
	-- The key expires with the newest session; readers check the age of each.
	redis.call('EXPIRE', sessions, args[3])
	return { 'ok' }
end

-- session_4 user | digest agent lifetime max password kind value notices
-- Starts a session. "absent" when the password is no longer the member's; "suspended" while
-- the member is; "factor" when the member has a second factor and this is none (is_factor in
-- recovery.lua), which is used up. When there are more than max sessions, the least recently
-- used ones end: expired ones first. notices is how many an inbox has.
redis.register_function('session_4', function(keys, args)
	return start_session(keys, args, args[6], args[7], args[8])
end)

-- session_3 user | digest agent lifetime max password
-- The same of programs that know no second factor: those who have one cannot log in there.
redis.register_function('session_3', function(keys, args)
	local outcome = start_session(keys, args, '', '')
	return outcome[1] == 'factor' and { 'absent' } or outcome
end)

-- seen_1 sessions | digest moment
-- Records the last use of a session, unless it has ended meanwhile. A session that was
-- started while the clock was ahead counts as created at its first use since.
redis.register_function('seen_1', function(keys, args)
	local session = redis.call('HGET', keys[1], args[1])
	if not session then
		return { 'absent' }
	end
	local created, agent = string.match(session, '^(%d+) %d+(.*)$')
	if created then
		redis.call('HSET', keys[1], args[1], string.format('%.0f %s%s',
			math.min(created, args[2]), args[2], agent))
	end
	return { 'ok' }
end)
end
