#!lua name=tally
-- version 5
--
-- To be raised with every change of a function: a program with an older library
-- leaves a newer one in Redis alone.
--
-- Tally's functions inside Redis: whatever changes two keys is one call here.
--
-- A name ends in the version of its interface, because workers of two versions
-- may run side by side. Redis does not roll back, so a function looks at
-- everything before its first write, and it reads the clock once.
--
-- A function is given one key; from it come the others of its slot. The layout is
-- described in store/keys.h.

-- For a function that writes nothing, which FCALL_RO may call.
local function register_reader(name, callback)
	redis.register_function({ function_name = name, callback = callback,
		flags = { 'no-writes' } })
end

-- The keys of a post. kind is 'article' or 'comment', and id "7" or, of comment 3
-- of article 7, "7:3"; member is what the sorted sets have of an article.
local function keys_of(post)
	local tag, kind, id = string.match(post, '^({%d+})(%l+):([%d:]+)$')
	return {
		kind = kind,
		up = tag .. 'up:' .. id,
		down = tag .. 'down:' .. id,
		time = tag .. 'time',
		score = tag .. 'score',
		interesting = tag .. 'interesting',
		karma = tag .. 'karma',
		versions = tag .. 'versions',
		member = string.format('%012.0f',
			tonumber(string.match(id, '^%d+'))),
	}
end

-- A sorted set's bucket, as its tag; which it is: time, score or interesting;
-- and of which list, as lists_of has it.
local function list_of(key)
	return string.match(key, '^({%d+})(%l+)(.*)$')
end

-- What a member posted, by time.
local function author_list_of(tag, author)
	return tag .. 'time:@' .. author
end

-- The article that a member of a sorted set stands for; nil when it is no id.
local function article_of(tag, member)
	if #member == 12 and string.match(member, '^%d+$') then
		return tag .. 'article:' .. string.match(member, '^0*(%d+)$')
	end
end
