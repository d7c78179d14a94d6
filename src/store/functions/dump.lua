do
local register_reader, require_keys = import('register_reader', 'require_keys')
local split_key, flags_key = import('split_key', 'flags_key')
local thread_key, voters_key = import('thread_key', 'voters_key')
local record_at = import('record_at')

-- dump_4 post | name...
-- Reads a consistent copy of a post: the named fields of its hash; its voters; its flags,
-- alternately member and value; and a comment's record in its thread. Empty when there is
-- no such post.
register_reader('dump_4', function(keys, args)
	local tag, _, id = split_key(keys[1])
	local voters = voters_key(tag, id)
	local flags = flags_key(tag, id)
	local article, number = string.match(id, '^(%d+):?(%d*)$')
	local thread = thread_key(tag, article)
	require_keys(keys[1], voters, flags, thread)
	if redis.call('EXISTS', keys[1]) == 0 then
		return {}
	end
	return { redis.call('HMGET', keys[1], unpack(args)),
		redis.call('SMEMBERS', voters), redis.call('HGETALL', flags),
		number ~= '' and record_at(thread, number) or '' }
end)
end
