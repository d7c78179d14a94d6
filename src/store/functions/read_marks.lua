do
local require_keys, read_marks_key = import('require_keys', 'read_marks_key')

local function mark_read(keys, args)
	local seen = read_marks_key(keys[1])
	require_keys(keys[1], seen)
	if redis.call('HEXISTS', keys[1], 'name') == 0 then
		return 'absent'
	end
	local before = redis.call('HGET', seen, args[1])
	if before and before - args[2] >= 0 then
		return 'ok'
	end
	redis.call('HSET', seen, args[1], args[2])
	redis.call('HINCRBY', keys[1], 'visits', '1')
	if redis.call('HLEN', seen) > tonumber(args[3]) then
		local articles = redis.call('HKEYS', seen)
		table.sort(articles, function(a, b)
			return tonumber(a) < tonumber(b)
		end)
		redis.call('HDEL', seen, unpack(articles, 1, args[3] / 4))
	end
	redis.call('EXPIRE', seen, args[4])
	return 'ok'
end

-- visit_2 user | article last max seconds
-- Marks an article's comments as read up to the last, and counts the change. When there are
-- more than max marks, those of the oldest articles are deleted, a quarter of max. The marks
-- expire a number of seconds after the last change: by then all these threads have closed.
redis.register_function('visit_2', mark_read)

-- visit_1 user | article last max
-- The same with 30 days, as the last release calls it.
redis.register_function('visit_1', function(keys, args)
	return mark_read(keys, { args[1], args[2], args[3], '2592000' })
end)
end
