-- vote_1 article | user state vote_score interesting
-- Brings the member's vote to 'up', 'down' or 'none'. Asking for the state that
-- is there changes nothing.
redis.register_function('vote_1', function(keys, args)
	local user, wanted = args[1], args[2]
	local vote_score, threshold = tonumber(args[3]), tonumber(args[4])
	local article = read_article(keys[1])
	if not article then
		return { 'absent' }
	end
	if article.removed then
		return { 'removed' }
	end
	local moment = now()
	-- The record is asked for as well: it expired for ever, whatever the
	-- clock says now.
	if moment >= article.closes or
		redis.call('EXISTS', article.keys.up) == 0 then
		return { 'closed' }
	end
	local was_up = redis.call('SISMEMBER', article.keys.up, user)
	local was_down = redis.call('SISMEMBER', article.keys.down, user)
	local is_up = wanted == 'up' and 1 or 0
	local is_down = wanted == 'down' and 1 or 0
	if was_up == is_up and was_down == is_down then
		return { 'ok' }
	end

	article.up = article.up + is_up - was_up
	article.down = article.down + is_down - was_down
	if was_up == 1 then
		redis.call('SREM', article.keys.up, user)
	elseif was_down == 1 then
		redis.call('SREM', article.keys.down, user)
	end
	if is_up == 1 then
		redis.call('SADD', article.keys.up, user)
	elseif is_down == 1 then
		-- Created again after it was empty, it has no expiry.
		add_voters(article.keys.down, { user }, article.closes)
	end
	redis.call('HSET', article.key, 'up', article.up, 'down', article.down)
	redis.call('HINCRBY', article.keys.cast, user, 1)
	redis.call('HINCRBY', article.keys.karma, article.author,
		is_up - is_down - was_up + was_down)
	local score = score_of(article, vote_score)
	for _, list in ipairs(lists_of(article)) do
		redis.call('ZADD', article.keys.score .. list,
			score, article.keys.member)
	end
	note_interesting(article, threshold, moment)
	return { 'ok' }
end)
