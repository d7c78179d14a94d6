-- dump_3 post | name...
-- All of a post at one moment: those fields of its hash, and the record of who
-- voted, empty when there is none. Nothing when there is no such post.
register_reader('dump_3', function(keys, args)
	local tag, _, id = parts_of(keys[1])
	local voters = tag .. 'voters:' .. id
	all_here(keys[1], voters)
	if redis.call('EXISTS', keys[1]) == 0 then
		return {}
	end
	return { redis.call('HMGET', keys[1], unpack(args)),
		redis.call('SMEMBERS', voters) }
end)
