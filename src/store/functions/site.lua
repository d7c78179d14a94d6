do
local is_number = import('is_number')

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
