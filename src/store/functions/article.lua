-- Articles: the lists that have them, by time and by score.

do
local require_keys = import('require_keys')
local time_key, score_key = import('time_key', 'score_key')
local encode_id, split_list_key = import('encode_id', 'split_list_key')
local author_articles_key = import('author_articles_key')
local author_removed_key = import('author_removed_key')
local interesting_key = import('interesting_key')
local now, kinds, bump_version = import('now', 'kinds', 'bump_version')

local function score_of(article, vote_score)
	return string.format('%d',
		article.posted + vote_score * (article.up - article.down))
end

-- The keys of lists by time or by score: others that are given, all articles', each group's.
local function list_keys(article, key_of, ...)
	local lists = { ... }
	lists[#lists + 1] = key_of(article.tag)
	for group in string.gmatch(article.groups, '%S+') do
		lists[#lists + 1] = key_of(article.tag, group)
	end
	return lists
end

local function time_lists(article)
	return list_keys(article, time_key,
		author_articles_key(article.tag, article.author))
end

local function score_lists(article)
	return list_keys(article, score_key)
end

-- Says where an article is (post.lua). Without vote_score, scores are true or false.
local function places(article, vote_score)
	local lists, scores = time_lists(article), {}
	local is_shown = not article.removed
	local score = is_shown and (not vote_score or score_of(article, vote_score))
	for i = 1, #lists do
		scores[i] = is_shown and article.posted
	end
	for _, list in ipairs(score_lists(article)) do
		lists[#lists + 1], scores[#lists + 1] = list, score
	end
	lists[#lists + 1] = interesting_key(article.tag)
	scores[#lists] = is_shown and article.interesting or false
	lists[#lists + 1] = author_removed_key(article.tag, article.author)
	scores[#lists] = not is_shown and article.posted
	return lists, scores
end

local function zadd_all(lists, score, member)
	for i = 1, #lists do
		redis.call('ZADD', lists[i], score, member)
	end
end

local function becomes_interesting(article, threshold)
	return not article.interesting and article.up - threshold >= 0
end

-- Notes beside the versions, which are read for each page, whether the bucket has interesting
-- articles.
local function note_interesting(versions, interesting)
	if redis.call('EXISTS', interesting) == 1 then
		redis.call('HSET', versions, 'interesting', '1')
	else
		redis.call('HDEL', versions, 'interesting')
	end
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
	note_interesting(article.versions, interesting_key(article.tag))
end

-- interesting_1 versions
-- Notes it for a bucket from before it was noted.
redis.register_function('interesting_1', function(keys)
	local tag = split_list_key(keys[1])
	require_keys(keys[1], interesting_key(tag))
	note_interesting(keys[1], interesting_key(tag))
	return 'ok'
end)

kinds.article = {
	vote_keys = score_lists,
	is_reachable = function()
		return true
	end,
	places = places,
	list_keys = function(article)
		return (article.kind.places(article))
	end,
	note_shown = function(article)
		bump_version(article, 'lists')
		if article.interesting then
			note_interesting(article.versions,
				interesting_key(article.tag))
		end
	end,
	count = function()
	end,
	-- Only then: a site without interesting articles has no such key, and would
	-- refuse every vote in a slot that moves.
	require_threshold_keys = function(article, threshold)
		if becomes_interesting(article, threshold) then
			require_keys(article.key, interesting_key(article.tag))
		end
	end,
	store_counts = function(article, counts)
		redis.call('HSET', article.key, unpack(counts))
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
tally.mark_interesting, tally.note_interesting = mark_interesting, note_interesting
end
