-- An article as the functions see it, and the lists that it stands in.

local function now()
	return tonumber(redis.call('TIME')[1])
end

local function words(text)
	local list = {}
	for word in string.gmatch(text or '', '%S+') do
		list[#list + 1] = word
	end
	return list
end

-- nil when there is none.
local function read_article(key)
	local values = redis.call('HMGET', key, 'posted', 'closes', 'up', 'down',
		'author', 'groups', 'interesting', 'removed')
	if not values[1] then
		return nil
	end
	return {
		key = key,
		keys = keys_of(key),
		posted = tonumber(values[1]),
		closes = tonumber(values[2]),
		up = tonumber(values[3]),
		down = tonumber(values[4]),
		author = string.match(values[5], '^%d+'),
		groups = words(values[6]),
		interesting = tonumber(values[7]),
		removed = tonumber(values[8]),
	}
end

-- For those who keep what they read: 'lists', 'edits', or the id of a member.
local function note_change(article, what)
	redis.call('HINCRBY', article.keys.versions, what, 1)
end

local function score_of(article, vote_score)
	return article.posted + vote_score * (article.up - article.down)
end

-- What follows the keys of time and score: all articles, the author's, a group.
local function lists_of(article)
	local lists = { '', ':@' .. article.author }
	for _, group in ipairs(article.groups) do
		lists[#lists + 1] = ':' .. group
	end
	return lists
end

local function enter_list(article, list, vote_score)
	local keys = article.keys
	redis.call('ZADD', keys.time .. list, article.posted, keys.member)
	redis.call('ZADD', keys.score .. list,
		score_of(article, vote_score), keys.member)
end

local function leave_list(article, list)
	local keys = article.keys
	redis.call('ZREM', keys.time .. list, keys.member)
	redis.call('ZREM', keys.score .. list, keys.member)
end

local function enter_all_lists(article, vote_score)
	note_change(article, 'lists')
	for _, list in ipairs(lists_of(article)) do
		enter_list(article, list, vote_score)
	end
	if article.interesting then
		redis.call('ZADD', article.keys.interesting,
			article.interesting, article.keys.member)
	end
end

-- The moment an article first has enough votes up is kept for ever.
local function note_interesting(article, threshold, moment)
	if article.up < threshold or article.interesting then
		return
	end
	article.interesting = moment
	note_change(article, 'edits')
	redis.call('HSET', article.key, 'interesting', moment)
	redis.call('ZADD', article.keys.interesting, moment, article.keys.member)
end

local function add_voters(key, ids, expires)
	for first = 1, #ids, 1000 do
		redis.call('SADD', key,
			unpack(ids, first, math.min(first + 999, #ids)))
	end
	redis.call('EXPIREAT', key, expires)
end
