-- dump_2 post | name...
-- All of a post at one moment: those fields of its hash, 1 when who voted is
-- recorded, and the two sets of voters. Nothing when there is no such post.
register_reader('dump_2', function(keys, args)
	if redis.call('EXISTS', keys[1]) == 0 then
		return {}
	end
	local post = keys_of(keys[1])
	return { redis.call('HMGET', keys[1], unpack(args)),
		redis.call('EXISTS', post.up),
		redis.call('SMEMBERS', post.up),
		redis.call('SMEMBERS', post.down) }
end)
