-- Articles: the lists that have them, by time and by score.

do
local require_keys, list_key = import('require_keys', 'list_key')
local encode_id = import('encode_id')
local author_articles_key = import('author_articles_key')
local author_removed_key = import('author_removed_key')
local interesting_key = import('interesting_key')
local now, kinds, bump_version = import('now', 'kinds', 'bump_version')

local function score_of(article, vote_score)
	return string.format('%d',
		article.posted + vote_score * (article.up - article.down))
end

-- The keys of the lists of a kind: others that are given, all articles', each group's.
local function list_keys(article, kind, ...)
	local all, lists = list_key(article.tag, kind), { ... }
	lists[#lists + 1] = all
	for group in string.gmatch(article.groups, '%S+') do
		lists[#lists + 1] = all .. ':' .. group
	end
	return lists
end

local function time_lists(article)
	return list_keys(article, 'time',
		author_articles_key(article.tag, article.author))
end

local function score_lists(article)
	return list_keys(article, 'score')
end

local function zadd_all(lists, score, member)
	for i = 1, #lists do
		redis.call('ZADD', lists[i], score, member)
	end
end

local function zrem_all(lists, member)
	for i = 1, #lists do
		redis.call('ZREM', lists[i], member)
	end
end

local function becomes_interesting(article, threshold)
	return not article.interesting and article.up - threshold >= 0
end

-- Stores the moment at which an article first has enough upvotes; it never changes.
local function mark_interesting(article, threshold)
	if not becomes_interesting(article, threshold) then
		return
	end
	article.interesting = now()
	bump_version(article, 'edits')
	redis.call('HSET', article.key, 'interesting', article.interesting)
	redis.call('ZADD', interesting_key(article.tag), article.interesting,
		encode_id(article.id))
end

kinds.article = {
	vote_keys = score_lists,
	is_reachable = function()
		return true
	end,
	list_keys = function(article)
		return list_keys(article, 'time', interesting_key(article.tag),
			author_articles_key(article.tag, article.author),
			author_removed_key(article.tag, article.author),
			unpack(score_lists(article)))
	end,
	removed_list = function(article)
		return author_removed_key(article.tag, article.author)
	end,
	add_to_lists = function(article, vote_score)
		local member = encode_id(article.id)
		bump_version(article, 'lists')
		zadd_all(time_lists(article), article.posted, member)
		zadd_all(score_lists(article), score_of(article, vote_score),
			member)
		if article.interesting then
			redis.call('ZADD', interesting_key(article.tag),
				article.interesting, member)
		end
	end,
	remove_from_lists = function(article)
		local member = encode_id(article.id)
		bump_version(article, 'lists')
		zrem_all(time_lists(article), member)
		zrem_all(score_lists(article), member)
		redis.call('ZREM', interesting_key(article.tag), member)
	end,
	-- Only then: a site without interesting articles has no such key, and would
	-- refuse every vote in a slot that moves.
	require_threshold_keys = function(article, threshold)
		if becomes_interesting(article, threshold) then
			require_keys(article.key, interesting_key(article.tag))
		end
	end,
	write_counts = function(article, counts, ranks, vote_score, threshold)
		bump_version(article, 'lists')
		redis.call('HSET', article.key, unpack(counts))
		zadd_all(ranks, score_of(article, vote_score),
			encode_id(article.id))
		mark_interesting(article, threshold)
	end,
	note_edit = function(article)
		bump_version(article, 'edits')
	end,
	put_placeholder = function(article, text)
		redis.call('HSET', article.key, 'title', text, 'text', text)
	end,
	write_fields = function(article, fields, first)
		redis.call('HSET', article.key, unpack(fields, first))
	end,
	read_record = function()
	end,
}

tally.score_of, tally.time_lists = score_of, time_lists
tally.score_lists, tally.zadd_all = score_lists, zadd_all
tally.zrem_all, tally.mark_interesting = zrem_all, mark_interesting
end
