-- Applications for registration: a hash of all, by name (store/application.h).

do
local now = import('now')

-- Deletes those that are over. Returns how many are left.
local function delete_over(key, moment, waiting, declined)
	local all = redis.call('HGETALL', key)
	local left = #all / 2
	for i = 1, #all, 2 do
		local applied, refused = string.match(all[i + 1], '^(%d+) (%d+)\n')
		if not applied or refused == '0' and
			moment - applied - waiting >= 0 or
			refused ~= '0' and moment - refused - declined >= 0 then
			redis.call('HDEL', key, all[i])
			left = left - 1
		end
	end
	return left
end

-- apply_1 applications | name application max waiting declined
-- Adds an application without its moments, unless there are max of them: "full". Those are over that
-- have waited for so many seconds, or have been declined so many seconds ago. "taken" when
-- there is another of that name.
redis.register_function('apply_1', function(keys, args)
	local moment = now()
	local left = delete_over(keys[1], moment, args[4], args[5])
	local there = redis.call('HGET', keys[1], args[1])
	if there then
		return string.match(there, '\n(.*)$') == args[2] and 'ok' or 'taken'
	elseif left - args[3] >= 0 then
		return 'full'
	end
	redis.call('HSET', keys[1], args[1], moment .. ' 0\n' .. args[2])
	return 'ok'
end)

-- application_1 applications | name before after
-- Replaces an application, or deletes it with an empty text; "absent" when it is another than before.
redis.register_function('application_1', function(keys, args)
	local there = redis.call('HGET', keys[1], args[1]) or ''
	if there == args[3] then
		return 'ok'
	elseif there ~= args[2] then
		return 'absent'
	elseif args[3] == '' then
		redis.call('HDEL', keys[1], args[1])
	else
		redis.call('HSET', keys[1], args[1], args[3])
	end
	return 'ok'
end)
end
