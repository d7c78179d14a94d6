-- dump_3 post | name...
-- All of a post at one moment: those fields of its hash, and the record of who
-- voted, empty when there is none. Nothing when there is no such post.
register_reader('dump_3', function(keys, args)
	if redis.call('EXISTS', keys[1]) == 0 then
		return {}
	end
	local tag, _, id = parts_of(keys[1])
	return { redis.call('HMGET', keys[1], unpack(args)),
		redis.call('SMEMBERS', tag .. 'voters:' .. id) }
end)
