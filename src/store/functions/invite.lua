do
local require_keys, invites_key = import('require_keys', 'invites_key')
local now, words = import('now', 'words')

-- The value of an invitation: "expires" or, while a registration uses it, "expires token
-- ends". Others can use it when that ends.
local function read_invite(value)
	return string.match(value or '0', '^(%d+) ?(%x*) ?(%d*)$')
end

-- invite_1 user | code lifetime max
-- Makes an invitation, unless max of the member's are open: "full".
redis.register_function('invite_1', function(keys, args)
	local invites = invites_key(keys[1])
	require_keys(keys[1], invites)
	local moment, open = now(), 0
	local all = redis.call('HGETALL', invites)
	for i = 1, #all, 2 do
		if all[i] == args[1] then
			return { 'ok' }
		elseif read_invite(all[i + 1]) - moment > 0 then
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

-- take_invite_1 user | code token seconds
-- Reserves an invitation for the registration with the token, for a number of seconds:
-- "absent" when there is none, or another registration uses it.
redis.register_function('take_invite_1', function(keys, args)
	local invites, moment = invites_key(keys[1]), now()
	require_keys(keys[1], invites)
	local expires, token, ends =
		read_invite(redis.call('HGET', invites, args[1]))
	if expires - moment <= 0 or
		token ~= '' and token ~= args[2] and ends - moment > 0 then
		return { 'absent' }
	end
	redis.call('HSET', invites, args[1], string.format('%s %s %d', expires,
		args[2], moment + args[3]))
	return { 'ok' }
end)

-- return_invite_1 user | code token
-- Releases an invitation after a registration that failed. One that was ended meanwhile,
-- as all are when their member is suspended, stays ended.
redis.register_function('return_invite_1', function(keys, args)
	local invites = invites_key(keys[1])
	require_keys(keys[1], invites)
	local expires, token = read_invite(redis.call('HGET', invites, args[1]))
	if token == args[2] then
		redis.call('HSET', invites, args[1], expires)
	end
	return { 'ok' }
end)

-- invited_1 user | name
-- Adds a name to the list of members that the member invited.
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
end
