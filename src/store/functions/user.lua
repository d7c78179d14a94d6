-- password_1 user | old new
-- Replaces the hash of a member's password. "taken" when it is no longer old; an
-- empty old stands for any.
redis.register_function('password_1', function(keys, args)
	local kept = redis.call('HGET', keys[1], 'password')
	if not kept then
		return { 'absent' }
	end
	if args[1] ~= '' and kept ~= args[1] then
		return { 'taken' }
	end
	redis.call('HSET', keys[1], 'password', args[2])
	return { 'ok' }
end)
