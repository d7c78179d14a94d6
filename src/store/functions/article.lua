-- What an article has beside what every post has: the lists that it stands in.

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

-- The moment an article first has enough upvotes is kept for ever.
local function note_interesting(article, threshold, moment)
	if article.up < threshold or article.interesting then
		return
	end
	article.interesting = moment
	note_change(article, 'edits')
	redis.call('HSET', article.key, 'interesting', moment)
	redis.call('ZADD', article.keys.interesting, moment, article.keys.member)
end

kinds.article = {
	enter = function(article, vote_score)
		note_change(article, 'lists')
		for _, list in ipairs(lists_of(article)) do
			enter_list(article, list, vote_score)
		end
		if article.interesting then
			redis.call('ZADD', article.keys.interesting,
				article.interesting, article.keys.member)
		end
	end,
	leave = function(article)
		note_change(article, 'lists')
		for _, list in ipairs(lists_of(article)) do
			leave_list(article, list)
		end
		redis.call('ZREM', article.keys.interesting, article.keys.member)
	end,
	moved = function(article, vote_score, threshold, moment)
		note_change(article, 'lists')
		local score = score_of(article, vote_score)
		for _, list in ipairs(lists_of(article)) do
			redis.call('ZADD', article.keys.score .. list,
				score, article.keys.member)
		end
		note_interesting(article, threshold, moment)
	end,
}
