-- What an article has beside what every post has: the lists that it stands in.

do
local all_here, member_of = import('all_here', 'member_of')
local author_list_of, gone_list_of = import('author_list_of', 'gone_list_of')
local interesting_of = import('interesting_of')
local now, kinds, note_change = import('now', 'kinds', 'note_change')

local function score_of(article, vote_score)
	return string.format('%d',
		article.posted + vote_score * (article.up - article.down))
end

-- The lists of a kind: all articles, each group's, and what else is given.
local function lists_of(article, kind, ...)
	local all, lists = article.tag .. kind, { ... }
	lists[#lists + 1] = all
	for group in string.gmatch(article.groups, '%S+') do
		lists[#lists + 1] = all .. ':' .. group
	end
	return lists
end

local function time_lists(article)
	return lists_of(article, 'time',
		author_list_of(article.tag, article.author))
end

local function score_lists(article)
	return lists_of(article, 'score')
end

local function put_into(lists, score, member)
	for i = 1, #lists do
		redis.call('ZADD', lists[i], score, member)
	end
end

local function take_out_of(lists, member)
	for i = 1, #lists do
		redis.call('ZREM', lists[i], member)
	end
end

local function becomes_interesting(article, threshold)
	return not article.interesting and article.up - threshold >= 0
end

-- The moment an article first has enough upvotes is kept for ever.
local function note_interesting(article, threshold)
	if not becomes_interesting(article, threshold) then
		return
	end
	article.interesting = now()
	note_change(article, 'edits')
	redis.call('HSET', article.key, 'interesting', article.interesting)
	redis.call('ZADD', interesting_of(article.tag), article.interesting,
		member_of(article.id))
end

kinds.article = {
	ranks = score_lists,
	stands = function()
		return true
	end,
	places = function(article)
		return lists_of(article, 'time', interesting_of(article.tag),
			author_list_of(article.tag, article.author),
			gone_list_of(article.tag, article.author),
			unpack(score_lists(article)))
	end,
	-- Where it is while it is removed, and then alone.
	gone = function(article)
		return gone_list_of(article.tag, article.author)
	end,
	enter = function(article, vote_score)
		local member = member_of(article.id)
		note_change(article, 'lists')
		put_into(time_lists(article), article.posted, member)
		put_into(score_lists(article), score_of(article, vote_score),
			member)
		if article.interesting then
			redis.call('ZADD', interesting_of(article.tag),
				article.interesting, member)
		end
	end,
	leave = function(article)
		local member = member_of(article.id)
		note_change(article, 'lists')
		take_out_of(time_lists(article), member)
		take_out_of(score_lists(article), member)
		redis.call('ZREM', interesting_of(article.tag), member)
	end,
	-- Not always: a site without interesting articles has no such key, and
	-- would take no vote in a slot that moves.
	ask_crossed = function(article, threshold)
		if becomes_interesting(article, threshold) then
			all_here(article.key, interesting_of(article.tag))
		end
	end,
	moved = function(article, counts, ranks, vote_score, threshold)
		note_change(article, 'lists')
		redis.call('HSET', article.key, unpack(counts))
		put_into(ranks, score_of(article, vote_score),
			member_of(article.id))
		note_interesting(article, threshold)
	end,
	edited = function(article)
		note_change(article, 'edits')
	end,
	erase = function(article, text)
		redis.call('HSET', article.key, 'title', text, 'text', text)
		redis.call('HDEL', article.key, 'url', 'markup', 'links')
	end,
	write = function(article, fields, first)
		redis.call('HSET', article.key, unpack(fields, first))
	end,
	recall = function()
	end,
}

tally.score_of, tally.time_lists = score_of, time_lists
tally.score_lists, tally.put_into = score_lists, put_into
tally.take_out_of, tally.note_interesting = take_out_of, note_interesting
end
