-- password_1 user | old new
-- Replaces a member's hash of a password. "taken" when it is not old any more;
-- an empty old is any.
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
