-- Claims of links share small hashes: a key for each took three times the memory. A hash
-- expires with the last of its claims; those that are over are deleted now and then.

do
local require_keys, keys_may_move = import('require_keys', 'keys_may_move')
local article_key = import('article_key')
local split_list_key, id_in_bucket = import('split_list_key', 'id_in_bucket')
local next_number, missing_key = import('next_number', 'missing_key')
local now = import('now')
local complete_post, add_voters = import('complete_post', 'add_voters')
local add_to_lists = import('add_to_lists')
local mark_interesting = import('mark_interesting')
local changes_key, note_change = import('changes_key', 'note_change')
local scores_in, versions_key = import('scores_in', 'versions_key')
local add_flag = import('add_flag')

-- The id that holds a claim, unless that is over; an article that the caller knows to be
-- removed holds nothing.
local function claim_holder(claims, field, moment, removed)
	local holder, ends = string.match(
		redis.call('HGET', claims, field) or '', '^(%d+) (%d+)$')
	if holder and ends - moment > 0 and holder ~= removed then
		return holder
	end
end

-- Up to a day later than needed, so that not each claim has to prolong it: EXPIREAT and its line in
-- the log of writes take 11,000 instructions.
local expiry_slack = 86400

local function write_claim(claims, field, id, closes, moment)
	redis.call('HSET', claims, field, id .. ' ' .. closes)
	if moment + redis.call('TTL', claims) - closes < 0 then
		redis.call('EXPIREAT', claims,
			string.format('%d', closes + expiry_slack))
	end
end

local function delete_expired_claims(claims, moment)
	local all = redis.call('HGETALL', claims)
	for i = 1, #all, 2 do
		if string.match(all[i + 1], '%d+$') - moment <= 0 then
			redis.call('HDEL', claims, all[i])
		end
	end
end

-- post_5 articles | buckets claims field removed window vote_score interesting first name value...
-- Creates an article from its fields, with its author's vote and the bucket's next id, and
-- claims a field of claims until voting closes: "ok" and the id. "taken", with the id of the
-- article that holds the claim; a removed article does not hold one. When first is "1", the
-- article is added to the queue. With a field "held", it waits there to be shown (release_1).
redis.register_function('post_5', function(keys, args)
	local tag = split_list_key(keys[1])
	local claims, moment = args[2], now()
	local closes = string.format('%d', moment + args[5])
	-- Nothing is posted while the slot is moved: the last key never exists.
	if keys_may_move() then
		require_keys(keys[1], claims, changes_key(tag), missing_key(tag))
	end
	local holder = claim_holder(claims, args[3], moment, args[4])
	if holder then
		return { 'taken', holder }
	end
	local id, key
	local number = next_number(keys[1], function(n)
		id = id_in_bucket(tag, args[1], n)
		key = article_key(tag, id)
		return key
	end)
	write_claim(claims, args[3], id, closes, moment)
	if number % 16 == 0 then
		delete_expired_claims(claims, moment)
	end
	local state = redis.call('HMGET', versions_key(tag), 'scores', 'placed')
	local scores = scores_in(state[1])
	if scores then
		args[#args + 1], args[#args + 2] = 'scores', scores
	end
	local article = complete_post(key, args, 9, { posted = moment,
		closes = closes, held = moment, removed = moment },
		tag, 'article', id)
	redis.call('HSET', key, unpack(args, 9))
	article.is_new, article.placed = true, state[2] or ''
	add_to_lists(article, args[6])
	if not article.held then
		add_voters(article, { '0', article.author }, 1, 2)
		article.kind.note_shown(article, '1')
		mark_interesting(article, args[7])
		note_change(article)
	end
	if args[8] == '1' then
		add_flag(article, '0', 'first')
	end
	return { 'ok', id }
end)

-- claim_2 claims | field id closes removed
-- Claims for an article that is to be shown, and prolongs its own claim; "taken", with its id, when
-- another holds it. A removed article does not hold one.
redis.register_function('claim_2', function(keys, args)
	local moment = now()
	local holder = claim_holder(keys[1], args[1], moment, args[4])
	if holder and holder ~= args[2] then
		return { 'taken', holder }
	end
	write_claim(keys[1], args[1], args[2], args[3], moment)
	return { 'ok' }
end)

-- claim_1 claims | field id closes
-- Claims for an article that is loaded; "taken" when another holds it.
redis.register_function('claim_1', function(keys, args)
	local moment = now()
	local holder = claim_holder(keys[1], args[1], moment)
	if not holder then
		write_claim(keys[1], args[1], args[2], args[3], moment)
	end
	return holder and holder ~= args[2] and 'taken' or 'ok'
end)
end
