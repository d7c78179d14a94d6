-- password_2 user | old new
-- Replaces the hash of a member's password, and ends all the member's sessions.
-- "taken" when it is no longer old; an empty old stands for any.
redis.register_function('password_2', function(keys, args)
	local sessions = sessions_of(keys[1])
	local kept = redis.call('HGET', keys[1], 'password')
	if not kept then
		return { 'absent' }
	end
	if args[1] ~= '' and kept ~= args[1] then
		return { 'taken' }
	end
	all_here(keys[1], sessions)
	redis.call('HSET', keys[1], 'password', args[2])
	redis.call('DEL', sessions)
	return { 'ok' }
end)
