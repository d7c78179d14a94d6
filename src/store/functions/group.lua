-- group_2 group | name value...
-- Creates a group; a moment of 0 is now. "taken" when it exists.
redis.register_function('group_2', function(keys, args)
	if redis.call('EXISTS', keys[1]) == 1 then
		return { 'taken' }
	end
	redis.call('HSET', keys[1], unpack(args))
	if by_name(args, 1).created == '0' then
		redis.call('HSET', keys[1], 'created', now())
	end
	return { 'ok' }
end)
