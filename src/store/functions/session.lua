-- session_1 sessions | digest agent lifetime idle most
-- Starts a session now. Those that are over go, and of the rest those that were
-- not used for longest, so that there are no more than most.
redis.register_function('session_1', function(keys, args)
	local moment, kept, gone = now(), {}, {}
	local lifetime, idle = tonumber(args[3]), tonumber(args[4])
	local all = redis.call('HGETALL', keys[1])
	for i = 1, #all, 2 do
		local created, seen = string.match(all[i + 1], '^(%d+) (%d+)')
		if created and created + lifetime > moment and
			seen + idle > moment then
			kept[#kept + 1] = { digest = all[i],
				seen = tonumber(seen) }
		else
			gone[#gone + 1] = all[i]
		end
	end
	table.sort(kept, function(a, b) return a.seen > b.seen end)
	for i = tonumber(args[5]), #kept do
		gone[#gone + 1] = kept[i].digest
	end
	for _, digest in ipairs(gone) do
		redis.call('HDEL', keys[1], digest)
	end
	redis.call('HSET', keys[1], args[1],
		string.format('%.0f %.0f %s', moment, moment, args[2]))
	-- The youngest session keeps the key, each one ends by its own age.
	redis.call('EXPIRE', keys[1], lifetime)
	return { 'ok' }
end)

-- seen_1 sessions | digest moment
-- Notes that a session was used, unless it was ended meanwhile. One that was
-- started by a clock that was ahead is as old as its first use since.
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
