-- Puts a member into a set of voters, or takes them out: 1 or 0 for whether they
-- were in it, and whether they are. What the set answers to the change tells the
-- first.
local function record(set, user, is_in)
	if is_in then
		return 1 - redis.call('SADD', set, user), 1
	end
	return redis.call('SREM', set, user), 0
end

-- vote_1 post | user state vote_score interesting
-- Brings the member's vote to 'up', 'down' or 'none'. Asking for the state that
-- is there changes nothing.
register_change('vote_1', function(post, args)
	local user, wanted = args[1], args[2]
	if post.removed then
		return { 'removed' }
	end
	local moment = now()
	if not is_open(post, moment) then
		return { 'closed' }
	end
	local was_up, is_up = record(post.keys.up, user, wanted == 'up')
	local was_down, is_down = record(post.keys.down, user, wanted == 'down')
	if was_up == is_up and was_down == is_down then
		return { 'ok' }
	end
	if is_down == 1 then
		-- Created again after it was empty, it has no expiry.
		redis.call('EXPIREAT', post.keys.down, post.closes)
	end

	post.up = post.up + is_up - was_up
	post.down = post.down + is_down - was_down
	redis.call('HSET', post.key, 'up', post.up, 'down', post.down)
	note_change(post, user)
	add_karma(post, is_up - is_down - was_up + was_down)
	post.kind.moved(post, tonumber(args[3]), tonumber(args[4]), moment)
	return { 'ok' }
end)
