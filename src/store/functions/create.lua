-- post_2 article | window vote_score interesting name value...
-- Creates the article, of which the fields are given, with its author's vote.
-- "taken" when it exists already.
redis.register_function('post_2', function(keys, args)
	local key, window = keys[1], tonumber(args[1])
	local vote_score, threshold = tonumber(args[2]), tonumber(args[3])
	if redis.call('EXISTS', key) == 1 then
		return { 'taken' }
	end
	local moment = now()
	-- These come after the caller's values, and so they are the ones that count.
	for name, value in pairs({ posted = moment, closes = moment + window,
		up = 1, down = 0 }) do
		args[#args + 1] = name
		args[#args + 1] = value
	end
	redis.call('HSET', key, unpack(args, 4))
	local article = post_of(key, by_name(args, 4))
	add_voters(article, article.keys.up, { '0', article.author }, 1, 2)
	article.kind.enter(article, vote_score)
	note_interesting(article, threshold, moment)
	return { 'ok' }
end)

-- load_2 post | vote_score votes ups downs voter... name value...
-- Writes a post as a dump has it. votes is 'known' or 'unknown': in the record of
-- who voted the first ups of the voters are up and the next downs are down.
-- "taken" when the post exists, with 1 when it is this very one, as it is when a
-- load is run again.
redis.register_function('load_2', function(keys, args)
	local key, vote_score = keys[1], tonumber(args[1])
	local ups, downs = tonumber(args[3]), tonumber(args[4])
	local first = 5 + ups + downs
	local fields = by_name(args, first)
	if redis.call('EXISTS', key) == 1 then
		local same = 1
		for _, name in ipairs({ 'title', 'url', 'text', 'author' }) do
			if (redis.call('HGET', key, name) or nil) ~= fields[name] then
				same = 0
			end
		end
		return { 'taken', same }
	end
	redis.call('HSET', key, unpack(args, first))
	local post = post_of(key, fields)
	if args[2] == 'known' then
		add_voters(post, post.keys.up, { '0' }, 1, 1)
		add_voters(post, post.keys.up, args, 5, 4 + ups)
		add_voters(post, post.keys.down, args, 5 + ups, first - 1)
	end
	add_karma(post, post.up - post.down - 1)
	if not post.removed then
		post.kind.enter(post, vote_score)
	end
	return { 'ok' }
end)
