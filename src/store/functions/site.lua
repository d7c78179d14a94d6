do
local is_number = import('is_number')
local lease_key = import('lease_key')

-- site_1 site | version buckets vote_score secret
-- Creates the site unless it exists, and returns the values that it was created with.
redis.register_function('site_1', function(keys, args)
	if redis.call('EXISTS', keys[1]) == 0 then
		redis.call('HSET', keys[1], 'version', args[1],
			'buckets', args[2], 'vote_score', args[3],
			'secret', args[4])
	end
	return redis.call('HMGET', keys[1], 'version', 'buckets', 'vote_score',
		'secret')
end)

-- move_begin_1 site | from to
-- Begins to move the data on from one layout to the next: from now on programs of the former
-- one refuse the site. Does nothing if the site has another layout.
redis.register_function('move_begin_1', function(keys, args)
	if redis.call('HGET', keys[1], 'version') == args[1] then
		redis.call('HSET', keys[1], 'version', args[2], 'from', args[1])
	end
	return 'ok'
end)

-- move_alone_1 site | from
-- Notes that no program of the former layout runs: from now on none is given its lease.
-- "closed" while one has it; "absent" when the move has ended.
redis.register_function('move_alone_1', function(keys, args)
	local is_leased = redis.call('EXISTS', keys[1], lease_key(keys[1], args[1])) == 2
	local v = redis.call('HMGET', keys[1], 'from', 'alone')
	if v[1] ~= args[1] then
		return 'absent'
	elseif v[2] then
		return 'ok'
	elseif is_leased then
		return 'closed'
	end
	redis.call('HSET', keys[1], 'alone', '1')
	return 'ok'
end)

-- moved_1 site | from field number
-- Notes how far a move is; never less far than before. "absent" when it has ended.
redis.register_function('moved_1', function(keys, args)
	if redis.call('HGET', keys[1], 'from') ~= args[1] then
		return 'absent'
	end
	if args[3] - (redis.call('HGET', keys[1], args[2]) or 0) > 0 then
		redis.call('HSET', keys[1], args[2], args[3])
	end
	return 'ok'
end)

-- move_end_1 site | from
-- Ends a move: no data are left in that layout.
redis.register_function('move_end_1', function(keys, args)
	if redis.call('HGET', keys[1], 'from') ~= args[1] then
		return 'ok'
	end
	for _, field in ipairs(redis.call('HKEYS', keys[1])) do
		if field == 'from' or field == 'alone' or
			string.sub(field, 1, 6) == 'moved:' then
			redis.call('HDEL', keys[1], field)
		end
	end
	return 'ok'
end)

-- raise_1 counter | min
-- Raises a counter to min, unless it is higher.
redis.register_function('raise_1', function(keys, args)
	local counter = redis.call('GET', keys[1]) or ''
	if not is_number(counter) or counter - args[1] < 0 then
		redis.call('SET', keys[1], args[1])
	end
	return 'ok'
end)
end
