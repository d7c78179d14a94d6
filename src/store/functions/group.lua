-- group_1 group | title by created
-- Creates a group; created is now when it is empty. "taken" when it exists.
redis.register_function('group_1', function(keys, args)
	if redis.call('EXISTS', keys[1]) == 1 then
		return { 'taken' }
	end
	local created = args[3] ~= '' and args[3] or now()
	redis.call('HSET', keys[1], 'title', args[1], 'by', args[2],
		'created', created)
	return { 'ok' }
end)
