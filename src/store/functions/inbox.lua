-- Notifications: members' inboxes, and the outboxes that fill them.

do
local register_reader, require_keys = import('register_reader', 'require_keys')
local inbox_key, muted_key = import('inbox_key', 'muted_key')
local new_breaks, is_number = import('new_breaks', 'is_number')
local hidden_key, is_hidden = import('hidden_key', 'is_hidden')
local encode_id, comment_id = import('encode_id', 'comment_id')

-- The score of an entry is its number, and a half more once it was read by itself.
local function number_of(score)
	return math.floor(tonumber(score))
end

local function was_read(score)
	return tonumber(score) > number_of(score)
end

-- The number of stored notices after a number that were read by themselves.
local function count_read_after(inbox, number)
	local entries = redis.call('ZRANGE', inbox, '(' .. number, '+inf', 'BYSCORE',
		'WITHSCORES')
	local count = 0
	for i = 2, #entries, 2 do
		if number_of(entries[i]) - number > 0 and was_read(entries[i]) then
			count = count + 1
		end
	end
	return count
end

local function write_read_ahead(user, ahead)
	if ahead > 0 then
		redis.call('HSET', user, 'read_ahead', string.format('%d', ahead))
	else
		redis.call('HDEL', user, 'read_ahead')
	end
end

-- Writes up to which number of those told a member has read all, and how many after it: none
-- when that is all of them.
local function write_read(user, told, read, ahead)
	if told - read - ahead <= 0 then
		read, ahead = told, 0
	end
	redis.call('HSET', user, 'read', string.format('%d', read))
	write_read_ahead(user, ahead)
end

-- An inbox has the newest max entries.
local function trim_inbox(inbox, max)
	redis.call('ZREMRANGEBYRANK', inbox, '0', string.format('%d', -max - 1))
end

-- Writes what is derived from a member's inbox: the number of notifications, and of those that
-- were read, which are not below what it has and not above the other.
local function refresh_inbox(user, max)
	local inbox = inbox_key(user)
	local newest = number_of(
		redis.call('ZRANGE', inbox, '-1', '-1', 'WITHSCORES')[2] or 0)
	local v = redis.call('HMGET', user, 'told', 'read', 'read_ahead')
	local told, read = tonumber(v[1] or 0), tonumber(v[2] or 0)
	local ahead = tonumber(v[3] or 0)
	if told and newest > told then
		told = newest
		redis.call('HSET', user, 'told', string.format('%d', newest))
	end
	if told and read and read > told then
		read = told
		redis.call('HSET', user, 'read', string.format('%d', told))
	end
	trim_inbox(inbox, max)
	if told and read and ahead then
		local least = count_read_after(inbox, read)
		local fitting = math.max(math.min(ahead, told - read), least)
		if fitting ~= ahead then
			write_read_ahead(user, fitting)
		end
	end
end

-- Adds an entry to an inbox, which has the newest max. All keys were required.
local function add_notice(user, entry, max)
	local inbox = inbox_key(user)
	local told = redis.call('HINCRBY', user, 'told', '1')
	redis.call('ZADD', inbox, string.format('%d', told), entry)
	trim_inbox(inbox, max)
end

-- deliver_1 user | entry article author max
-- Adds an entry to the member's inbox, which has the newest max; does nothing in a repeated
-- call, when the article is muted, or when it or the author is hidden. (A member who was muted
-- before that was hiding is in the set of muted threads until the next refresh.)
-- "absent" when there is no such member, or the account is closed.
redis.register_function('deliver_1', function(keys, args)
	local inbox, muted = inbox_key(keys[1]), muted_key(keys[1])
	local hidden = hidden_key(keys[1])
	local entry, article, author = args[1], args[2], args[3]
	require_keys(keys[1], inbox, muted, hidden)
	local v = redis.call('HMGET', keys[1], 'name', 'closed')
	if not v[1] or v[2] then
		return { 'absent' }
	end
	local m = redis.call('SMISMEMBER', muted, article, '@' .. author)
	if m[1] == 1 or m[2] == 1 or is_hidden(hidden, article, author) or
		redis.call('ZSCORE', inbox, entry) then
		return { 'ok' }
	end
	add_notice(keys[1], entry, args[4])
	return { 'ok' }
end)

-- read_1 user | number
-- Marks the inbox as read up to a number; never lowers it.
redis.register_function('read_1', function(keys, args)
	local inbox = inbox_key(keys[1])
	require_keys(keys[1], inbox)
	local v = redis.call('HMGET', keys[1], 'name', 'told', 'read')
	if not v[1] then
		return { 'absent' }
	end
	local number = math.min(args[1], v[2] or 0)
	if number - (v[3] or 0) > 0 then
		write_read(keys[1], v[2], number, count_read_after(inbox, number))
	end
	return { 'ok' }
end)

-- Marks those entries of an inbox as read by themselves that find returns for the number up to
-- which all were read.
local function read_entries(user, inbox, find)
	require_keys(user, inbox)
	local v = redis.call('HMGET', user, 'name', 'told', 'read', 'read_ahead')
	if not v[1] then
		return { 'absent' }
	end
	local read, ahead = v[3] or '0', tonumber(v[4] or 0)
	local entries, before = find(read), ahead
	local scores = #entries > 0 and redis.call('ZMSCORE', inbox, unpack(entries))
	for i, entry in ipairs(entries) do
		local score = scores[i]
		if score and score - read > 0 and not was_read(score) then
			redis.call('ZADD', inbox, score .. '.5', entry)
			ahead = ahead + 1
		end
	end
	if ahead > before then
		write_read(user, v[2], read, ahead)
	end
	return { 'ok' }
end

-- read_notice_1 user | number
-- Marks one entry of the inbox as read.
redis.register_function('read_notice_1', function(keys, args)
	local inbox = inbox_key(keys[1])
	return read_entries(keys[1], inbox, function()
		return redis.call('ZRANGE', inbox, args[1], args[1], 'BYSCORE')
	end)
end)

-- read_entries_1 user | entry...
-- Marks those of these entries that the inbox has as read.
redis.register_function('read_entries_1', function(keys, args)
	return read_entries(keys[1], inbox_key(keys[1]), function()
		return args
	end)
end)

-- read_thread_1 user | article comment...
-- Marks the entries of these comments of an article as read; of all, if none is named.
redis.register_function('read_thread_1', function(keys, args)
	local prefix = string.sub(encode_id(comment_id(args[1], 1)), 1, -2)
	local inbox, named, found = inbox_key(keys[1]), {}, {}
	for i = 2, #args do
		named[encode_id(comment_id(args[1], args[i]))] = true
	end
	return read_entries(keys[1], inbox, function(read)
		for _, entry in ipairs(redis.call('ZRANGE', inbox, '(' .. read,
			'+inf', 'BYSCORE')) do
			if string.sub(entry, 1, #prefix) == prefix and (#args == 1
				or named[string.sub(entry, 1, -2)]) then
				found[#found + 1] = entry
			end
		end
		return found
	end)
end)

-- mute_1 user | what max
-- Mutes an article: "full" when max are muted already. "absent" also when the
-- account is closed.
redis.register_function('mute_1', function(keys, args)
	local muted = muted_key(keys[1])
	require_keys(keys[1], muted)
	local v = redis.call('HMGET', keys[1], 'name', 'closed')
	if not v[1] or v[2] then
		return { 'absent' }
	end
	if redis.call('SMISMEMBER', muted, args[1])[1] == 1 then
		return { 'ok' }
	end
	if redis.call('SCARD', muted) - args[2] >= 0 then
		return { 'full' }
	end
	redis.call('SADD', muted, args[1])
	return { 'ok' }
end)

-- load_notice_1 user | entry number max
-- Adds an entry from a dump, with its number as in the inbox, to the member's, muted or not. "taken" when it is there
-- already, or when the account is closed.
redis.register_function('load_notice_1', function(keys, args)
	local inbox, entry, number = inbox_key(keys[1]), args[1], args[2]
	require_keys(keys[1], inbox)
	local v = redis.call('HMGET', keys[1], 'name', 'closed')
	if not v[1] then
		return { 'absent' }
	end
	if v[2] or redis.call('ZSCORE', inbox, entry) then
		return { 'taken' }
	end
	redis.call('ZADD', inbox, number, entry)
	refresh_inbox(keys[1], args[3])
	return { 'ok' }
end)

-- load_mute_1 user | what max
-- Mutes an article from a dump; "full" when max are muted already.
redis.register_function('load_mute_1', function(keys, args)
	local muted = muted_key(keys[1])
	require_keys(keys[1], muted)
	local v = redis.call('HMGET', keys[1], 'name', 'closed')
	if not v[1] then
		return { 'absent' }
	end
	if v[2] or redis.call('SMISMEMBER', muted, args[1])[1] == 1 then
		return { 'taken' }
	end
	if redis.call('SCARD', muted) - args[2] >= 0 then
		return { 'full' }
	end
	redis.call('SADD', muted, args[1])
	return { 'ok' }
end)

-- Checks a member's counts, and that a member with an inbox or mutes exists.
local function check_counts(user, has_any, newest, note)
	local v = redis.call('HMGET', user, 'name', 'closed', 'told', 'read',
		'read_ahead')
	local told, read, ahead = v[3] or '0', v[4] or '0', v[5] or '0'
	if has_any and not v[1] then
		note('there is no such member')
	elseif has_any and v[2] then
		note('the account is closed')
	end
	-- The check of members reports what is no number.
	if not is_number(told) or not is_number(read) or not is_number(ahead) then
		return
	end
	if read - told > 0 then
		note('it is read up to %s, and %s were told', read, told)
	end
	if newest and number_of(newest) - told > 0 then
		note('the newest has number %.0f, and %s were told',
			number_of(newest), told)
	end
	local least = count_read_after(inbox_key(user), read)
	if least - ahead > 0 or ahead ~= '0' and read + ahead - told > 0 then
		note('%s were read after %s, of %s that were told, and %d at least',
			ahead, read, told, least)
	end
end

-- check_inbox_1 user | start end max
-- Returns a range of a member's inbox, newest first, alternately entry and number. When
-- start is 0, also the mutes, and then the breaks.
register_reader('check_inbox_1', function(keys, args)
	local inbox, muted = inbox_key(keys[1]), muted_key(keys[1])
	local breaks, note = new_breaks()
	require_keys(keys[1], inbox, muted)
	local entries = redis.call('ZREVRANGE', inbox, args[1], args[2],
		'WITHSCORES')
	if args[1] ~= '0' then
		return { entries, {} }
	end
	local has_any = redis.call('EXISTS', inbox, muted) > 0
	check_counts(keys[1], has_any, entries[2], note)
	local count = redis.call('ZCARD', inbox)
	if count - args[3] > 0 then
		note('it has %d, and at most %s are kept', count, args[3])
	end
	return { entries, redis.call('SMEMBERS', muted), unpack(breaks) }
end)

-- take_1 outbox | group consumer after count idle
-- Assigns up to count entries of an outbox to a consumer of the group, as XREADGROUP does:
-- with an id, the consumer's own entries after it; with ">", entries that no consumer has,
-- and then those that any consumer has held for more than idle milliseconds. Creates the
-- group if it is missing; it begins at the first entry.
redis.register_function('take_1', function(keys, args)
	local outbox, group, consumer = keys[1], args[1], args[2]
	local after, count = args[3], args[4]
	local function read()
		return redis.pcall('XREADGROUP', 'GROUP', group, consumer,
			'COUNT', count, 'STREAMS', outbox, after)
	end
	if redis.call('EXISTS', outbox) == 0 then
		return {}
	end
	local streams = read()
	if streams and streams.err then
		-- This fails when it is not the group that was missing.
		redis.call('XGROUP', 'CREATE', outbox, group, '0')
		streams = read()
	end
	if streams and streams.err then
		return streams
	end
	local entries = streams and streams[1][2] or {}
	local left = count - #entries
	if after == '>' and left > 0 then
		local claimed = redis.call('XAUTOCLAIM', outbox, group, consumer,
			args[5], '0-0', 'COUNT', string.format('%d', left))[2]
		for _, entry in ipairs(claimed) do
			entries[#entries + 1] = entry
		end
	end
	return entries
end)

-- settle_1 outbox | group id...
-- Deletes entries of an outbox and acknowledges them, in one function: a crash between the
-- two would leave one of them forever.
redis.register_function('settle_1', function(keys, args)
	local ids = { unpack(args, 2) }
	redis.call('XDEL', keys[1], unpack(ids))
	redis.call('XACK', keys[1], args[1], unpack(ids))
	return { 'ok' }
end)

tally.refresh_inbox, tally.add_notice = refresh_inbox, add_notice
end
