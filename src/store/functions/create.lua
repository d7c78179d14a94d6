-- post_3 articles | buckets bucket link window vote_score interesting name value...
-- Creates an article, of which the fields are given, with its author's vote, under
-- the bucket's next id, and claims its link until its window closes: "ok" and the
-- id. "taken", with the id that holds the claim, when the link is claimed.
redis.register_function('post_3', function(keys, args)
	local tag = list_of(keys[1])
	local claim = tag .. 'link:' .. args[3]
	-- As all_here: the claim of something new is in no slot that moves, and one
	-- command on two keys of which one is missing ends the function there.
	local holder = redis.call('MGET', claim, keys[1])[1]
	if holder then
		return { 'taken', holder }
	end
	local buckets, bucket = args[1], args[2] + 0
	local number = redis.call('INCR', keys[1])
	local id = string.format('%d', bucket > 0 and
		(number - 1) * buckets + bucket or number * buckets)
	local moment = now()
	local closes = string.format('%d', moment + args[4])
	for i = 7, #args, 2 do
		if args[i] == 'posted' then
			args[i + 1] = moment
		elseif args[i] == 'closes' then
			args[i + 1] = closes
		end
	end
	local key = article_key(tag, id)
	redis.call('SET', claim, id, 'EXAT', closes)
	redis.call('HSET', key, unpack(args, 7))
	local article = complete(by_name(args, 7), key)
	add_voters(article, { '0', article.author }, 1, 2)
	article.kind.enter(article, args[5])
	note_interesting(article, args[6])
	return { 'ok', id }
end)

-- load_3 post | vote_score voters voter... name value...
-- Writes a post as a dump has it. In the record of who voted are so many voters,
-- those who voted down negated; there is none when their number is -1. "taken"
-- when the post exists, with 1 when it is this very one, as it is when a load is
-- run again.
redis.register_function('load_3', function(keys, args)
	local key, count = keys[1], tonumber(args[2])
	local first = 3 + math.max(count, 0)
	local fields = by_name(args, first)
	if redis.call('EXISTS', key) == 1 then
		local same = '1'
		for _, name in ipairs({ 'title', 'url', 'text', 'author' }) do
			if (redis.call('HGET', key, name) or nil) ~= fields[name] then
				same = '0'
			end
		end
		return { 'taken', same }
	end
	local post = complete(fields, key)
	all_here(key, post.voters, post.versions, post.karma,
		unpack(post.kind.places(post)))
	redis.call('HSET', key, unpack(args, first))
	if count >= 0 then
		add_voters(post, { '0' }, 1, 1)
		add_voters(post, args, 3, first - 1)
	end
	if post.up - post.down ~= 1 then
		add_karma(post, string.format('%d', post.up - post.down - 1))
	end
	if not post.removed then
		post.kind.enter(post, args[1])
	end
	return { 'ok' }
end)
