local signs = { up = 1, none = 0, down = -1 }
local steps = { [-2] = '-2', [-1] = '-1', [1] = '1', [2] = '2' }

-- Brings the counts from one state of a vote to another, in one write.
local function count(post, was, is)
	local ups, downs = was == 1 or is == 1, was == -1 or is == -1
	if ups then
		post.up = string.format('%d', post.up + (is == 1 and 1 or -1))
	end
	if downs then
		post.down = string.format('%d', post.down + (is == -1 and 1 or -1))
	end
	if ups and downs then
		redis.call('HSET', post.key, 'up', post.up, 'down', post.down)
	elseif ups then
		redis.call('HSET', post.key, 'up', post.up)
	else
		redis.call('HSET', post.key, 'down', post.down)
	end
end

-- vote_2 post | user state vote_score interesting
-- Brings the member's vote to 'up', 'down' or 'none'. Asking for the state that
-- is there changes nothing. The author's vote was cast with the post and stays:
-- 'own'. Votes count while who voted is recorded: once the record has expired it
-- is gone for ever, whatever the clock says then.
register_change('vote_2', function(post, args)
	local user, is = args[1], signs[args[2]]
	local against = '-' .. user
	if post.removed then
		return 'removed'
	elseif user == post.author then
		return 'own'
	end
	local ranks = post.kind.ranks(post)
	all_here(post.voters, post.karma, post.versions, unpack(ranks))
	local there = redis.call('SMISMEMBER', post.voters, '0', user, against)
	local was = there[2] - there[3]
	if there[1] == 0 then
		return 'closed'
	elseif was == is then
		return 'ok'
	end
	if was ~= 0 then
		redis.call('SREM', post.voters, was == 1 and user or against)
	end
	if is ~= 0 then
		redis.call('SADD', post.voters, is == 1 and user or against)
	end
	count(post, was, is)
	add_karma(post, steps[is - was])
	post.kind.moved(post, ranks, args[3], args[4])
	return 'ok'
end)
