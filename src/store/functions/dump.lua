do
local register_reader, all_here = import('register_reader', 'all_here')
local parts_of, flags_of = import('parts_of', 'flags_of')
local thread_of, voters_of = import('thread_of', 'voters_of')
local record_at = import('record_at')

-- dump_4 post | name...
-- All of a post at one moment: those fields of its hash, the record of who voted, empty
-- when there is none, the flags, members and values in turn, and of a comment its record
-- in the index of its thread. Nothing when there is no such post.
register_reader('dump_4', function(keys, args)
	local tag, _, id = parts_of(keys[1])
	local voters = voters_of(tag, id)
	local flags = flags_of({ tag = tag, id = id })
	local article, number = string.match(id, '^(%d+):?(%d*)$')
	local thread = thread_of(tag, article)
	all_here(keys[1], voters, flags, thread)
	if redis.call('EXISTS', keys[1]) == 0 then
		return {}
	end
	return { redis.call('HMGET', keys[1], unpack(args)),
		redis.call('SMEMBERS', voters), redis.call('HGETALL', flags),
		number ~= '' and record_at(thread, number) or '' }
end)
end
