-- Articles: the lists that have them, by time and by score.

do
local require_keys, cached = import('require_keys', 'cached')
local time_key, score_key, score2_key = import('time_key', 'score_key', 'score2_key')
local active_key, thread_key = import('active_key', 'thread_key')
local split_list_key = import('split_list_key')
local author_articles_key = import('author_articles_key')
local author_removed_key = import('author_removed_key')
local interesting_key, again_key = import('interesting_key', 'again_key')
local publisher_articles_key = import('publisher_articles_key')
local now, kinds, bump_version = import('now', 'kinds', 'bump_version')
local register_change, write_place = import('register_change', 'write_place')
local set_text, words, with_room = import('set_text', 'words', 'with_room')
local points_lists, points_place = import('points_lists', 'points_place')
local has_points, note_open = import('has_points', 'note_open')

-- The keys of lists by score, by the words that the field "scores" has.
local score_keys = { score = score_key, score2 = score2_key }

-- The lists by score that an article is in, with what a vote is worth there, as its field
-- "scores" has them: "score 432 score2 864" (store/scores.h). Without the field it is one, for
-- the vote score that the caller knows.
local usual_scales = { { key_of = score_key } }

local function scales_of(article)
	if not article.scores then
		return usual_scales
	end
	local scales = {}
	for kind, worth in string.gmatch(article.scores, '(score2?) (%d+)') do
		scales[#scales + 1] = { key_of = score_keys[kind], worth = worth }
	end
	return scales
end

-- That field as the articles of a bucket are to have it, from the state in its versions; and
-- while that changes the id up to which they have. Lists that are emptied, of a worth of 0, are
-- left out.
local function scores_in(state)
	if not state then
		return
	end
	local read, rest = string.match(state, '^(score2? [1-9]%d*)(.*)$')
	local beside, last = string.match(rest or '',
		'^ (score2? %d+) %d+ (%d+)$')
	if not beside or string.find(beside, ' 0', 1, true) then
		return read, last
	end
	return read < beside and read .. ' ' .. beside or beside .. ' ' .. read, last
end

local function scores_of_bucket(versions)
	return scores_in(redis.call('HGET', versions, 'scores'))
end

local function score_of(article, vote_score)
	return string.format('%d',
		article.posted + vote_score * (article.up - article.down))
end

-- The keys of lists by time or by score: all articles', and each group's.
local function list_keys_of(key_of)
	return cached(function(tag, groups)
		local keys = { key_of(tag) }
		for group in string.gmatch(groups, '%S+') do
			keys[#keys + 1] = key_of(tag, group)
		end
		return keys
	end)
end

local list_keys = { [time_key] = list_keys_of(time_key),
	[score_key] = list_keys_of(score_key), [score2_key] = list_keys_of(score2_key),
	[active_key] = list_keys_of(active_key) }

local function add_list_keys(lists, article, key_of)
	for _, key in ipairs(list_keys[key_of](article.tag, article.groups)) do
		lists[#lists + 1] = key
	end
	return lists
end

-- Those of its publisher: "github.com/user", and of the host before the slash.
local function publisher_lists(article)
	local lists, publisher = with_room(), article.from
	if publisher then
		local host = string.match(publisher, '^[^/]*')
		lists[1] = publisher_articles_key(article.tag, publisher)
		lists[2] = host ~= publisher and
			publisher_articles_key(article.tag, host) or nil
	end
	return lists
end

local function time_lists(article)
	local lists = publisher_lists(article)
	lists[#lists + 1] = author_articles_key(article.tag, article.author)
	return add_list_keys(lists, article, time_key)
end

-- Those of each scale, one scale after another. The caller changes nothing in them.
local function vote_lists(article)
	local scales, lists = scales_of(article), {}
	if #scales == 1 then
		return list_keys[scales[1].key_of](article.tag, article.groups)
	end
	for _, scale in ipairs(scales) do
		add_list_keys(lists, article, scale.key_of)
	end
	return lists
end

-- Makes the lists by score of an article those of its bucket; it is in article.left that it
-- leaves. Nothing is written yet.
local function adopt_scores(article)
	local before, is_kept = scales_of(article), {}
	require_keys(article.key, article.versions)
	article.scores, article.left = scores_of_bucket(article.versions), {}
	for _, scale in ipairs(scales_of(article)) do
		is_kept[scale.key_of] = true
	end
	for _, scale in ipairs(before) do
		if not is_kept[scale.key_of] then
			article.left = add_list_keys({}, article, scale.key_of)
		end
	end
end

-- Where an article is by score.
local function add_score_places(article, vote_score, lists, scores)
	for _, scale in ipairs(scales_of(article)) do
		local worth, first = scale.worth or vote_score, #lists + 1
		local score = not article.removed and
			(not worth or score_of(article, worth))
		add_list_keys(lists, article, scale.key_of)
		for i = first, #lists do
			scores[i] = score
		end
	end
end

-- The time of the last comment that is not removed, from its record (comment.lua); nil when there
-- is none. Reads 64 records at a time from the end, and the byte before them: without it they are
-- the thread's first, of which the record of number 0 is none.
local function last_comment(article)
	local thread, last, is_first = thread_key(article.tag, article.id), -1, false
	while not is_first do
		local records = redis.call('GETRANGE', thread,
			string.format('%d', last - 1024), string.format('%d', last))
		is_first = #records <= 1024
		for at = #records - 15, is_first and 17 or 2, -16 do
			local _, state, posted = struct.unpack('>I3BI4', records, at)
			if posted > 0 and state % 4 == 0 then
				return posted
			end
		end
		last = last - 1024
	end
end

-- Since when an article is active whose last comment is of that moment: not before it was posted.
-- A damaged one may not say when that was.
local function active_at(article, moment)
	return string.format('%d', math.max(moment,
		tonumber(article.posted) or moment))
end

-- Since when an article is active; false without comments.
local function active_since(article)
	local last = not article.removed and last_comment(article)
	return last and active_at(article, last) or false
end

local function active_lists(article)
	return add_list_keys({}, article, active_key)
end

-- Where an article is by points: one that is new is not yet.
local function add_points_places(article, lists, scores)
	if not has_points(article) then
		return
	end
	local score = points_place(article)
	for _, list in ipairs(points_lists(article)) do
		lists[#lists + 1] = list
		scores[#lists] = score
	end
end

-- Says where an article is (post.lua). Without vote_score, scores are true or false.
local function places(article, vote_score)
	local lists, scores = time_lists(article), with_room()
	local is_shown = not article.removed
	for i = 1, #lists do
		scores[i] = is_shown and article.posted
	end
	add_score_places(article, vote_score, lists, scores)
	-- The other lists have none that is new: to name them took a tenth of post_5.
	if article.is_new and is_shown then
		return lists, scores
	end
	local first, active = #lists + 1, active_since(article)
	add_list_keys(lists, article, active_key)
	for i = first, #lists do
		scores[i] = active
	end
	lists[#lists + 1] = interesting_key(article.tag)
	scores[#lists] = is_shown and article.interesting or false
	lists[#lists + 1] = again_key(article.tag)
	scores[#lists] = is_shown and article.again or false
	lists[#lists + 1] = author_removed_key(article.tag, article.author)
	scores[#lists] = not is_shown and article.posted
	add_points_places(article, lists, scores)
	return lists, scores
end

local function zadd_all(lists, score, member, first, last)
	for i = first or 1, last or #lists do
		redis.call('ZADD', lists[i], score, member)
	end
end

-- Writes the scores of an article into its vote_lists.
local function place_by_score(article, vote_score, lists)
	local scales = scales_of(article)
	local count, member = #lists / #scales, article.member
	for i = 1, #scales do
		zadd_all(lists, score_of(article, scales[i].worth or vote_score),
			member, (i - 1) * count + 1, i * count)
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
		article.member)
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

-- Writes what adopt_scores has decided. Returns the number of changes.
local function write_scores(article)
	local before = redis.call('HGET', article.key, 'scores') or nil
	if before ~= article.scores then
		set_text(article, 'scores', article.scores or '')
	end
	for _, list in ipairs(article.left) do
		write_place(list, false, article.member)
	end
	return before == article.scores and 0 or 1
end

-- place_1 article |
-- Places an article in the lists by score that its bucket has (store/pace.h).
register_change('place_1', function(article)
	local lists, scores = {}, {}
	adopt_scores(article)
	add_score_places(article, nil, lists, scores)
	require_keys(article.key, unpack(lists))
	require_keys(article.key, unpack(article.left))
	if article.scores then
		write_scores(article)
		for i = 1, #lists do
			write_place(lists[i], scores[i], article.member)
		end
	end
	return 'ok'
end)

-- scores_1 versions | from to count...
-- Replaces the state of a bucket, and counts changes; "absent" when it is another already.
redis.register_function('scores_1', function(keys, args)
	local scores = redis.call('HGET', keys[1], 'scores') or ''
	if scores == args[2] then
		return 'ok'
	elseif scores ~= args[1] then
		return 'absent'
	end
	redis.call('HSET', keys[1], 'scores', args[2])
	for i = 3, #args do
		bump_version({ versions = keys[1] }, args[i])
	end
	return 'ok'
end)

-- The names of the groups that an article was taken out of, by their moderators and by those of
-- the site (set_groups.lua).
local function barred_from(article)
	local values = redis.call('HMGET', article.key, 'barred', 'barred_by_site')
	return words(values[1] or ''), words(values[2] or '')
end

-- The names of groups without those that an article was taken out of.
local function admitted(article, groups)
	if groups == '' then
		return groups
	end
	local barred, by_site = barred_from(article)
	local is_barred, rest = {}, {}
	for _, group in ipairs(barred) do
		is_barred[group] = true
	end
	for _, group in ipairs(by_site) do
		is_barred[group] = true
	end
	for _, group in ipairs(words(groups)) do
		if not is_barred[group] then
			rest[#rest + 1] = group
		end
	end
	return table.concat(rest, ' ')
end

kinds.article = {
	vote_keys = vote_lists,
	is_reachable = function()
		return true
	end,
	places = places,
	list_keys = function(article)
		require_keys(article.key, thread_key(article.tag, article.id),
			article.voters, article.versions)
		return (article.kind.places(article))
	end,
	note_shown = function(article)
		bump_version(article, 'lists')
		note_open(article)
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
	write_counts = function(article, counts, vote_score, threshold, lists)
		bump_version(article, 'lists')
		redis.call('HSET', article.key, unpack(counts))
		place_by_score(article, vote_score, lists)
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
	write_removal = function()
	end,
	write_first_times = function(article)
		redis.call('HSET', article.key, 'posted', article.posted)
	end,
	release_keys = function()
		return {}
	end,
	adopt = adopt_scores,
	read_record = function()
	end,
}

tally.scales_of, tally.score_of = scales_of, score_of
tally.scores_in = scores_in
tally.scores_of_bucket, tally.write_scores = scores_of_bucket, write_scores
tally.publisher_lists = publisher_lists
tally.barred_from, tally.admitted = barred_from, admitted
tally.active_lists, tally.active_since = active_lists, active_since
tally.active_at = active_at
tally.time_lists, tally.zadd_all = time_lists, zadd_all
tally.mark_interesting, tally.note_interesting = mark_interesting, note_interesting
end
