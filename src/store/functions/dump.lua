-- dump_2 post |
-- All of a post at one moment: its hash as names and values, 1 when who voted is
-- recorded, and the two sets of voters. Nothing when there is no such post.
register_reader('dump_2', function(keys)
	local hash = redis.call('HGETALL', keys[1])
	if #hash == 0 then
		return {}
	end
	local post = keys_of(keys[1])
	return { hash, redis.call('EXISTS', post.up),
		redis.call('SMEMBERS', post.up),
		redis.call('SMEMBERS', post.down) }
end)
