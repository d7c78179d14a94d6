do
local register_reader, require_keys = import('register_reader', 'require_keys')
local split_key, flags_key = import('split_key', 'flags_key')
local thread_key, voters_key = import('thread_key', 'voters_key')
local record_at = import('record_at')

-- A consistent copy of a post: its hash, as read_hash returns it; its voters; its flags,
-- alternately member and value; and a comment's record in its thread. Empty when there is
-- no such post.
local function dump_post(key, read_hash)
	local tag, _, id = split_key(key)
	local voters = voters_key(tag, id)
	local flags = flags_key(tag, id)
	local article, number = string.match(id, '^(%d+):?(%d*)$')
	local thread = thread_key(tag, article)
	require_keys(key, voters, flags, thread)
	if redis.call('EXISTS', key) == 0 then
		return {}
	end
	return { read_hash(), redis.call('SMEMBERS', voters),
		redis.call('HGETALL', flags),
		number ~= '' and record_at(thread, number) or '' }
end

-- dump_4 post | name...
-- Reads a copy of a post with the named fields of its hash, in their order.
register_reader('dump_4', function(keys, args)
	return dump_post(keys[1], function()
		return redis.call('HMGET', keys[1], unpack(args))
	end)
end)

-- dump_5 post
-- Reads a copy of a post with its whole hash.
register_reader('dump_5', function(keys)
	return dump_post(keys[1], function()
		return redis.call('HGETALL', keys[1])
	end)
end)
end
