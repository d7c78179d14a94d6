-- What moderators do, in the log of a bucket. An act comes as the names and values of
-- its fields, args[first] and on, and with it how many buckets there are.

do
local all_here, parts_of = import('all_here', 'parts_of')
local member_of, list_of, log_of = import('member_of', 'list_of', 'log_of')
local id_in, next_number, act_key = import('id_in', 'next_number', 'act_key')
local act_counter, missing_key = import('act_counter', 'missing_key')
local now, is_recent, by_name = import('now', 'is_recent', 'by_name')
local has_fields = import('has_fields')
local put_into = import('put_into')

-- All acts, those of its kind, those done to the same member, and by the same one.
local function logs_of(tag, act)
	local all = log_of(tag)
	local lists = { all, all .. ':=' .. act.what }
	if act.member then
		lists[#lists + 1] = all .. ':@' .. string.match(act.member, '^%d+')
	end
	if act.by then
		lists[#lists + 1] = all .. ':^' .. string.match(act.by, '^%d+')
	end
	return lists
end

-- Nothing is noted in a slot that moves: the last of these is never there.
local function keys_of_act(tag, args, first)
	local keys = logs_of(tag, by_name(args, first))
	keys[#keys + 1], keys[#keys + 2] = act_counter(tag), missing_key(tag)
	return keys
end

local function put_act(tag, id, act, fields)
	redis.call('HSET', act_key(tag, id), unpack(fields))
	put_into(logs_of(tag, act), act.at, member_of(id))
end

local function note_act_as(tag, id, args, first)
	local fields = { unpack(args, first) }
	local act = by_name(fields, 1)
	act.at = now()
	fields[#fields + 1], fields[#fields + 2] = 'at', act.at
	put_act(tag, id, act, fields)
end

local function note_act(tag, buckets, args, first)
	local number = next_number(act_counter(tag), function(n)
		return act_key(tag, id_in(tag, buckets, n))
	end)
	note_act_as(tag, id_in(tag, buckets, number), args, first)
end

-- Whether this was just noted.
local function is_noted(act, args)
	return has_fields(act, args, 'at') and
		is_recent(redis.call('HGET', act, 'at'))
end

-- act_2 act | name value...
-- Notes what is done in another slot, before it is done, under a number that was given
-- out for it, and so once, however often it is sent. "taken" when another has the number.
redis.register_function('act_2', function(keys, args)
	local tag, _, id = parts_of(keys[1])
	all_here(keys[1], unpack(keys_of_act(tag, args, 1)))
	if redis.call('EXISTS', keys[1]) == 1 then
		return is_noted(keys[1], args) and 'ok' or 'taken'
	end
	note_act_as(tag, id, args, 1)
	return 'ok'
end)

-- act_1 acts | buckets name value...
-- The same for programs of the last release: sent twice it is noted twice.
redis.register_function('act_1', function(keys, args)
	local tag = list_of(keys[1])
	all_here(unpack(keys_of_act(tag, args, 2)))
	note_act(tag, args[1], args, 2)
	return 'ok'
end)

-- load_act_1 act | name value...
-- Writes an act as a dump has it. "taken" when another is there.
redis.register_function('load_act_1', function(keys, args)
	local tag, _, id = parts_of(keys[1])
	if redis.call('EXISTS', keys[1]) == 1 then
		return has_fields(keys[1], args) and 'ok' or 'taken'
	end
	all_here(unpack(keys_of_act(tag, args, 1)))
	put_act(tag, id, by_name(args, 1), args)
	return 'ok'
end)

tally.logs_of, tally.keys_of_act = logs_of, keys_of_act
tally.note_act = note_act
end
