local function invites_of(user)
	return (string.gsub(user, 'user$', 'invites'))
end

-- invite_1 user | code lifetime max
-- Makes an invitation, unless max of the member's are open: "full".
redis.register_function('invite_1', function(keys, args)
	local invites = invites_of(keys[1])
	all_here(keys[1], invites)
	local moment, open = now(), 0
	local all = redis.call('HGETALL', invites)
	for i = 1, #all, 2 do
		if all[i + 1] - moment > 0 then
			open = open + 1
		else
			redis.call('HDEL', invites, all[i])
		end
	end
	if open >= tonumber(args[3]) then
		return { 'full' }
	end
	redis.call('HSET', invites, args[1],
		string.format('%d', moment + args[2]))
	redis.call('EXPIRE', invites, args[2])
	return { 'ok' }
end)

-- invited_1 user | name
-- Notes whom the member has invited.
redis.register_function('invited_1', function(keys, args)
	local names = redis.call('HGET', keys[1], 'invited')
	for _, name in ipairs(words(names or '')) do
		if name == args[1] then
			return { 'ok' }
		end
	end
	redis.call('HSET', keys[1], 'invited',
		names and names .. ' ' .. args[1] or args[1])
	return { 'ok' }
end)
