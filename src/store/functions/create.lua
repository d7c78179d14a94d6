-- Claims are kept together in small hashes: a key for each took three times as much.
-- A hash expires with the last of its claims, and is rid of others now and then.

-- Makes a claim, unless one holds it that is not over: then the id of that one. One
-- that the caller knows to be removed holds nothing.
local function take_claim(claims, is_new, field, id, closes, moment, removed)
	local value = id .. ' ' .. closes
	if redis.call('HSETNX', claims, field, value) == 0 then
		local holder, ends = string.match(
			redis.call('HGET', claims, field), '^(%d+) (%d+)$')
		if holder and ends - moment > 0 and holder ~= removed then
			return holder
		end
		redis.call('HSET', claims, field, value)
	end
	redis.call('EXPIREAT', claims, closes, is_new and 'NX' or 'GT')
end

local function forget_claims(claims, moment)
	local all = redis.call('HGETALL', claims)
	for i = 1, #all, 2 do
		if string.match(all[i + 1], '%d+$') - moment <= 0 then
			redis.call('HDEL', claims, all[i])
		end
	end
end

-- post_5 articles | buckets claims field removed window vote_score interesting first name value...
-- Creates an article, of which the fields are given, with its author's vote, under
-- the bucket's next id, and claims a field of claims until its window closes: "ok"
-- and the id. "taken", with the id that holds it, when one does; an article removed
-- does not. What is a new member's first, "1", moderators are to look at.
redis.register_function('post_5', function(keys, args)
	local tag = list_of(keys[1])
	local claims, moment = args[2], now()
	local closes = string.format('%d', moment + args[5])
	-- Nothing is posted in a slot that moves: the last of them is never there.
	local there = all_here(keys[1], claims, tag .. 'nothing')
	local number = redis.call('INCR', keys[1])
	local id = id_in(tag, args[1], number)
	local holder = take_claim(claims, there < 2, args[3], id, closes, moment,
		args[4])
	if holder then
		redis.call('DECR', keys[1])
		return { 'taken', holder }
	end
	if number % 16 == 0 then
		forget_claims(claims, moment)
	end
	for i = 9, #args, 2 do
		if args[i] == 'posted' then
			args[i + 1] = moment
		elseif args[i] == 'closes' then
			args[i + 1] = closes
		end
	end
	local key = post_key(tag, id)
	redis.call('HSET', key, unpack(args, 9))
	local article = complete(by_name(args, 9), key)
	add_voters(article, { '0', article.author }, 1, 2)
	article.kind.enter(article, args[6])
	note_interesting(article, args[7])
	if args[8] == '1' then
		add_flag(article, '0', 'first')
	end
	return { 'ok', id }
end)

-- claim_1 claims | field id closes
-- Claims for an article that is loaded; "taken" when another holds it.
redis.register_function('claim_1', function(keys, args)
	local is_new = redis.call('EXISTS', keys[1]) == 0
	local holder = take_claim(keys[1], is_new, args[1], args[2], args[3],
		now())
	return holder and holder ~= args[2] and 'taken' or 'ok'
end)

-- load_4 post | vote_score voters flags voter... flag... name value...
-- Writes a post as a dump has it. In the record of who voted are so many voters,
-- those who voted down negated; there is none when their number is -1. A flag is a
-- member and what stands under it, two arguments. "taken" when the post exists, with 1
-- when it is this very one, as it is when a load is run again; "absent" when it is a
-- comment and its article is not there.
redis.register_function('load_4', function(keys, args)
	local key, count = keys[1], tonumber(args[2])
	local flags = 4 + math.max(count, 0)
	local first = flags + 2 * args[3]
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
	all_here(key, post.voters, post.versions, post.karma, flags_of(post),
		queue_of(post.tag), unpack(post.kind.places(post)))
	if not belongs_somewhere(post) then
		return { 'absent' }
	end
	post.kind.write(post, args, first)
	if count >= 0 then
		add_voters(post, { '0' }, 1, 1)
		add_voters(post, args, 4, flags - 1)
	end
	for i = flags, first - 1, 2 do
		redis.call('HSET', flags_of(post), args[i], args[i + 1])
	end
	if first > flags and not post.removed then
		renew_queue(post)
	end
	if post.up - post.down ~= 1 then
		add_karma(post, string.format('%d', post.up - post.down - 1))
	end
	if post.removed then
		note_gone(post)
	else
		post.kind.enter(post, args[1])
	end
	return { 'ok' }
end)
