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
	-- clock says now, and its two sets may do so one after the other.
	local sets = article.keys
	if moment >= article.closes or redis.call('EXISTS', sets.up, sets.down)
		< (article.down > 0 and 2 or 1) then
		return { 'closed' }
	end
	-- What a set answers to the change tells what the vote was.
	local was_up, was_down, is_up, is_down = 0, 0, 0, 0
	if wanted == 'up' then
		is_up = 1
		was_up = 1 - redis.call('SADD', sets.up, user)
	else
		was_up = redis.call('SREM', sets.up, user)
	end
	if wanted == 'down' then
		is_down = 1
		was_down = 1 - redis.call('SADD', sets.down, user)
	else
		was_down = redis.call('SREM', sets.down, user)
	end
	if was_up == is_up and was_down == is_down then
		return { 'ok' }
	end
	if is_down == 1 then
		-- Created again after it was empty, it has no expiry.
		redis.call('EXPIREAT', sets.down, article.closes)
	end

	article.up = article.up + is_up - was_up
	article.down = article.down + is_down - was_down
	redis.call('HSET', article.key, 'up', article.up, 'down', article.down)
	note_change(article, 'lists')
	note_change(article, user)
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
