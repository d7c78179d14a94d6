do
local register_reader, require_keys = import('register_reader', 'require_keys')
local time_key = import('time_key')
local split_list_key = import('split_list_key')
local now, is_recent = import('now', 'is_recent')
local fields_by_name, has_fields = import('fields_by_name', 'has_fields')
local words, set_text = import('words', 'set_text')

-- True if the existing group is the one to be created: loaded from the same dump, or just
-- created by the same member.
local function is_founded(group, fields)
	if fields_by_name(fields, 1).created ~= '0' then
		return has_fields(group, fields)
	end
	local there = redis.call('HMGET', group, 'created', 'into')
	return has_fields(group, fields, 'created') and is_recent(there[1]) and
		not there[2]
end

-- A hash without a title or a time of creation is not a group: it is left by a program that
-- ended early, or that changed a group that had just been deleted.
local function is_group(key)
	local v = redis.call('HMGET', key, 'title', 'created')
	return v[1] and v[2]
end

-- group_2 group | name value...
-- Creates a group; created is 0 for now. "taken" when another group has the name.
redis.register_function('group_2', function(keys, args)
	if is_group(keys[1]) then
		return { is_founded(keys[1], args) and 'ok' or 'taken' }
	end
	redis.call('DEL', keys[1])
	redis.call('HSET', keys[1], unpack(args))
	if fields_by_name(args, 1).created == '0' then
		redis.call('HSET', keys[1], 'created', now())
	end
	return { 'ok' }
end)

-- regroup_1 group | name value...
-- Changes fields of a group; an empty value deletes the field. "absent" when there is no
-- such group, so that a deleted group is not created again.
redis.register_function('regroup_1', function(keys, args)
	if not is_group(keys[1]) then
		return 'absent'
	end
	for i = 1, #args, 2 do
		if args[i + 1] ~= '' then
			redis.call('HSET', keys[1], args[i], args[i + 1])
		else
			redis.call('HDEL', keys[1], args[i])
		end
	end
	return 'ok'
end)

-- The moderators of a group, without one: alternate ids and names.
local function moderators_without(group, id)
	local list, rest = words(redis.call('HGET', group, 'moderators') or ''), {}
	for i = 1, #list, 2 do
		if list[i] ~= id then
			rest[#rest + 1], rest[#rest + 2] = list[i], list[i + 1]
		end
	end
	return rest, #rest < #list
end

local function set_moderators(group, list)
	set_text({ key = group }, 'moderators', table.concat(list, ' '))
end

-- group_appoint_1 group | id name max
-- Makes a member a moderator of a group. "absent" also of one that was renamed or merged; "full"
-- when it has max moderators.
redis.register_function('group_appoint_1', function(keys, args)
	if not is_group(keys[1]) or redis.call('HEXISTS', keys[1], 'into') == 1 then
		return 'absent'
	end
	local list, was_there = moderators_without(keys[1], args[1])
	if was_there then
		return 'ok'
	elseif #list / 2 >= tonumber(args[3]) then
		return 'full'
	end
	list[#list + 1], list[#list + 2] = args[1], args[2]
	set_moderators(keys[1], list)
	return 'ok'
end)

-- group_dismiss_1 group | id
-- A member is no moderator of a group any more.
redis.register_function('group_dismiss_1', function(keys, args)
	local list, was_there = moderators_without(keys[1], args[1])
	if was_there then
		set_moderators(keys[1], list)
	end
	return 'ok'
end)

-- sizes_1 list | group...
-- Counts the articles of each group in the bucket of that list. Empty while the slot is
-- moved and not all lists are on this node: then the caller reads each by a command.
register_reader('sizes_1', function(keys, args)
	local tag, lists, sizes = split_list_key(keys[1]), {}, {}
	for i, group in ipairs(args) do
		lists[i] = time_key(tag, group)
	end
	if not pcall(require_keys, keys[1], unpack(lists)) then
		return {}
	end
	for i, list in ipairs(lists) do
		sizes[i] = redis.call('ZCARD', list)
	end
	return sizes
end)
end
