-- Layout 5, from which data are moved on (store/move.h): all that knows of it in Lua is here,
-- and goes with the release that no longer opens it.
--
-- An article's hash counted its comments in "comments"; now it does in "replies".

do
local writes_former = true

local function read_replies(article)
	local v = redis.call('HMGET', article, 'replies', 'comments')
	return tonumber(v[1] or v[2] or 0)
end

-- The former workers read "comments".
local function write_replies(article, count)
	count = string.format('%d', count)
	redis.call('HSET', article, 'replies', count)
	if writes_former then
		redis.call('HSET', article, 'comments', count)
	else
		redis.call('HDEL', article, 'comments')
	end
end

tally.read_replies, tally.write_replies = read_replies, write_replies
end
