do
local all_here, list_of = import('all_here', 'list_of')
local versions_of = import('versions_of')
local now, words = import('now', 'words')
local keys_of_act, note_act = import('keys_of_act', 'note_act')

local function note_settings(tag)
	redis.call('HINCRBY', versions_of(tag), 'settings', '1')
end

-- settings_2 settings | name value...
-- What the site's owners have set; what is empty is no field. And another version of
-- it.
redis.register_function('settings_2', function(keys, args)
	local tag = list_of(keys[1])
	all_here(keys[1], versions_of(tag))
	-- As it is while nobody has set it, and in dumps from before it was.
	local usual = 'at-once'
	local before = redis.call('HGET', keys[1], 'voting') or usual
	for i = 1, #args, 2 do
		local after = args[i + 1] ~= '' and args[i + 1] or usual
		if args[i] == 'voting' and before ~= after then
			redis.call('HSET', keys[1], 'voting_since', now())
		end
		if args[i + 1] ~= '' then
			redis.call('HSET', keys[1], args[i], args[i + 1])
		else
			redis.call('HDEL', keys[1], args[i])
		end
	end
	note_settings(tag)
	return 'ok'
end)

-- host_1 settings | host wanted max buckets name value...
-- Refuses links of a host ('refused'), or takes them again ('taken'). 'full' when there
-- are max already. The names and values are those of the act.
redis.register_function('host_1', function(keys, args)
	local tag, hosts = list_of(keys[1]), {}
	all_here(keys[1], versions_of(tag),
		unpack(keys_of_act(tag, args, 5)))
	local before = words(redis.call('HGET', keys[1], 'hosts') or '')
	for _, host in ipairs(before) do
		if host ~= args[1] then
			hosts[#hosts + 1] = host
		end
	end
	local was_refused = #hosts < #before
	if was_refused == (args[2] == 'refused') then
		return 'ok'
	elseif not was_refused then
		hosts[#hosts + 1] = args[1]
	end
	if #hosts > tonumber(args[3]) then
		return 'full'
	end
	redis.call('HSET', keys[1], 'hosts', table.concat(hosts, ' '))
	note_settings(tag)
	note_act(tag, args[4], args, 5)
	return 'ok'
end)
end
