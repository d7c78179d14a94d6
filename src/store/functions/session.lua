-- seen_1 sessions | digest moment
-- Notes that a session was used, unless it was ended meanwhile.
redis.register_function('seen_1', function(keys, args)
	local session = redis.call('HGET', keys[1], args[1])
	if not session then
		return { 'absent' }
	end
	redis.call('HSET', keys[1], args[1], (string.gsub(session,
		'^(%d+) %d+', '%1 ' .. args[2], 1)))
	return { 'ok' }
end)
