do
local require_keys, split_list_key = import('require_keys', 'split_list_key')
local versions_key, image_key = import('versions_key', 'image_key')
local containment_key, containments_key = import('containment_key', 'containments_key')
local now, words = import('now', 'words')
local mod_action_keys = import('mod_action_keys')
local note_mod_action = import('note_mod_action')

-- Later than the moment of the announcement before: members may have dismissed that within
-- this second.
local function note_announcement(settings, announcement)
	local before = redis.call('HMGET', settings, 'announcement', 'announced')
	if (before[1] or '') ~= announcement then
		local after = math.max(now() + 0, (before[2] or 0) + 1)
		redis.call('HSET', settings, 'announced',
			string.format('%d', after))
	end
end

local function bump_settings_version(tag)
	redis.call('HINCRBY', versions_key(tag), 'settings', '1')
end

-- settings_2 settings | name value...
-- Writes the owners' settings, and counts the change; an empty value deletes the field.
redis.register_function('settings_2', function(keys, args)
	local tag = split_list_key(keys[1])
	require_keys(keys[1], versions_key(tag))
	-- The value without a setting, as in old dumps.
	local default = 'at-once'
	local before = redis.call('HGET', keys[1], 'voting') or default
	for i = 1, #args, 2 do
		local after = args[i + 1] ~= '' and args[i + 1] or default
		if args[i] == 'voting' and before ~= after then
			redis.call('HSET', keys[1], 'voting_since', now())
		end
		if args[i] == 'announcement' then
			note_announcement(keys[1], args[i + 1])
		end
		if args[i + 1] ~= '' then
			redis.call('HSET', keys[1], args[i], args[i + 1])
		else
			redis.call('HDEL', keys[1], args[i])
		end
	end
	bump_settings_version(tag)
	return 'ok'
end)

-- authority_1 settings | authority
-- Stores who has named the entries of feeds first, unless that is stored.
redis.register_function('authority_1', function(keys, args)
	local tag = split_list_key(keys[1])
	require_keys(keys[1], versions_key(tag))
	if redis.call('HEXISTS', keys[1], 'tag_authority') == 0 then
		redis.call('HSET', keys[1], 'tag_authority', args[1])
		bump_settings_version(tag)
	end
	return 'ok'
end)

-- image_1 settings | name bytes
-- Stores an image, or deletes it without any bytes, and counts the change.
redis.register_function('image_1', function(keys, args)
	local tag = split_list_key(keys[1])
	local image = image_key(tag, args[1])
	require_keys(versions_key(tag), image)
	if args[2] ~= '' then
		redis.call('SET', image, args[2])
	else
		redis.call('DEL', image)
	end
	bump_settings_version(tag)
	return 'ok'
end)

-- drop_image_1 settings | name bytes
-- Deletes an image that the check found damaged, if it still has these bytes or is no string.
redis.register_function('drop_image_1', function(keys, args)
	local tag = split_list_key(keys[1])
	local image = image_key(tag, args[1])
	require_keys(versions_key(tag), image)
	local there = redis.pcall('GET', image)
	if there == args[2] or type(there) == 'table' then
		redis.call('DEL', image)
		bump_settings_version(tag)
	end
	return 'ok'
end)

-- The records of acts that blocked a host (contain.lua), and their hosts.
local function acts_that_blocked(tag, host)
	local records, hosts = {}, {}
	for _, act in ipairs(redis.call('SMEMBERS', containments_key(tag))) do
		local record = containment_key(tag, act)
		local blocked = redis.call('HGET', record, 'hosts') or ''
		if string.find(' ' .. blocked .. ' ', ' ' .. host .. ' ', 1, true) then
			records[#records + 1], hosts[record] = record, words(blocked)
		end
	end
	return records, hosts
end

-- Has their undo leave a host, on which somebody has decided since.
local function note_host_decision(host, records, hosts)
	for _, record in ipairs(records) do
		local blocked = {}
		for _, other in ipairs(hosts[record]) do
			if other ~= host then
				blocked[#blocked + 1] = other
			end
		end
		local left = redis.call('HGET', record, 'left_hosts')
		redis.call('HSET', record, 'hosts', table.concat(blocked, ' '),
			'left_hosts', left and left .. ' ' .. host or host)
	end
end

-- host_1 settings | host wanted max buckets name value...
-- Refuses links of a host ('refused'), or takes them again ('taken'). 'full' when there
-- are max already. The names and values are those of the action.
redis.register_function('host_1', function(keys, args)
	local tag, hosts = split_list_key(keys[1]), {}
	require_keys(keys[1], versions_key(tag), containments_key(tag),
		unpack(mod_action_keys(tag, args, 5)))
	local records, hosts_of = acts_that_blocked(tag, args[1])
	require_keys(keys[1], unpack(records))
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
	bump_settings_version(tag)
	note_host_decision(args[1], records, hosts_of)
	note_mod_action(tag, args[4], args, 5)
	return 'ok'
end)

tally.bump_settings_version = bump_settings_version
end
