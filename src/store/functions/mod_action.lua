-- Moderators' actions, in the log of a bucket. An action is given as names and values of
-- its fields, from args[first] on, after the number of buckets.

do
local require_keys, split_key = import('require_keys', 'split_key')
local encode_id, split_list_key = import('encode_id', 'split_list_key')
local log_key, id_in_bucket = import('log_key', 'id_in_bucket')
local log_of_kind_key, log_of_member_key = import('log_of_kind_key', 'log_of_member_key')
local log_of_moderator_key = import('log_of_moderator_key')
local log_of_decision_key = import('log_of_decision_key')
local log_of_parts_by_key = import('log_of_parts_by_key')
local next_number, mod_action_key = import('next_number', 'mod_action_key')
local mod_action_counter_key = import('mod_action_counter_key')
local missing_key = import('missing_key')
local now, is_recent = import('now', 'is_recent')
local fields_by_name, has_fields = import('fields_by_name', 'has_fields')
local zadd_all = import('zadd_all')
local outbox_key = import('outbox_key')

-- Actions of which the member that they are about is notified.
local told = { removed = true, restored = true, voided = true, counted = true, moved = true,
	accepted = true, ['group-renamed'] = true, ['group-merged'] = true,
	['recovery-link'] = true, contained = true, released = true, ['group-appointed'] = true,
	['group-dismissed'] = true, barred = true, unbarred = true }

-- The logs of all actions, of its kind, of the member it is about, and of the moderator. A part of a
-- decision is in the logs of that, of the member, and of such parts by the moderator.
local function log_list_keys(tag, action)
	local lists = { log_key(tag), log_of_kind_key(tag, action.what) }
	local by_key = log_of_moderator_key
	if action.decision then
		lists, by_key = { log_of_decision_key(tag, action.decision) }, log_of_parts_by_key
	end
	if action.member then
		lists[#lists + 1] = log_of_member_key(tag,
			string.match(action.member, '^%d*'))
	end
	if action.by then
		lists[#lists + 1] = by_key(tag, string.match(action.by, '^%d*'))
	end
	return lists
end

-- Nothing is logged in a slot that moves: the last of these keys never exists.
local function mod_action_keys(tag, args, first)
	local keys = log_list_keys(tag, fields_by_name(args, first))
	keys[#keys + 1], keys[#keys + 2] = outbox_key(tag), mod_action_counter_key(tag)
	keys[#keys + 1] = missing_key(tag)
	return keys
end

-- Writes what is derived from an action.
local function refresh_mod_action(tag, id, action)
	zadd_all(log_list_keys(tag, action), action.at, encode_id(id))
end

local function write_mod_action(tag, id, action, fields)
	redis.call('HSET', mod_action_key(tag, id), unpack(fields))
	refresh_mod_action(tag, id, action)
end

-- Has the relay notify the member whom an action is about, but of no own action.
local function tell_member(tag, id, action)
	local user = string.match(action.member or '', '^%d+') or '0'
	if told[action.what] and user ~= '0' and
		user ~= string.match(action.by or '', '^%d+') then
		redis.call('XADD', outbox_key(tag), '*', 'act', id, 'to',
			user .. '=action')
	end
end

local function note_mod_action_as(tag, id, args, first)
	local fields = { unpack(args, first) }
	local action = fields_by_name(fields, 1)
	action.at = now()
	fields[#fields + 1], fields[#fields + 2] = 'at', action.at
	write_mod_action(tag, id, action, fields)
	tell_member(tag, id, action)
end

local function note_mod_action(tag, buckets, args, first)
	local number = next_number(mod_action_counter_key(tag), function(n)
		return mod_action_key(tag, id_in_bucket(tag, buckets, n))
	end)
	note_mod_action_as(tag, id_in_bucket(tag, buckets, number), args, first)
end

-- Whether this call has logged it before.
local function is_noted(action, args)
	return has_fields(action, args, 'at') and
		is_recent(redis.call('HGET', action, 'at'))
end

-- act_2 act | name value...
-- Logs an action in another slot before it is carried out, under a number given out for
-- it: once, however often it is sent. "taken" when another action has the number.
redis.register_function('act_2', function(keys, args)
	local tag, _, id = split_key(keys[1])
	require_keys(keys[1], unpack(mod_action_keys(tag, args, 1)))
	if redis.call('EXISTS', keys[1]) == 1 then
		return is_noted(keys[1], args) and 'ok' or 'taken'
	end
	note_mod_action_as(tag, id, args, 1)
	return 'ok'
end)

-- act_1 acts | buckets name value...
-- As programs of the last release call it: sent twice it is logged twice.
redis.register_function('act_1', function(keys, args)
	local tag = split_list_key(keys[1])
	require_keys(unpack(mod_action_keys(tag, args, 2)))
	note_mod_action(tag, args[1], args, 2)
	return 'ok'
end)

-- load_act_1 act | name value...
-- Writes an action from a dump. "taken" when another has its number.
redis.register_function('load_act_1', function(keys, args)
	local tag, _, id = split_key(keys[1])
	if redis.call('EXISTS', keys[1]) == 1 then
		return has_fields(keys[1], args) and 'ok' or 'taken'
	end
	require_keys(unpack(mod_action_keys(tag, args, 1)))
	write_mod_action(tag, id, fields_by_name(args, 1), args)
	return 'ok'
end)

tally.log_list_keys, tally.mod_action_keys = log_list_keys, mod_action_keys
tally.note_mod_action, tally.refresh_mod_action = note_mod_action, refresh_mod_action
tally.note_mod_action_as, tally.is_noted = note_mod_action_as, is_noted
end
