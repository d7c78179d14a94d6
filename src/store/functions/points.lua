-- Lists by points (store/points.h): of the articles on which voting has closed, whose points are
-- final. A relay places those of a bucket in the order of posting. The field "placed" of the
-- versions, "MOMENT ID", is the last one that it came to: articles at or before it are where
-- they belong, and later ones may or may not be.

do
local require_keys, split_list_key = import('require_keys', 'split_list_key')
local time_key, points_key, month_key = import('time_key', 'points_key', 'month_key')
local article_key, voters_key = import('article_key', 'voters_key')
local encode_id, decode_id = import('encode_id', 'decode_id')
local read_post, attempt = import('read_post', 'attempt')

-- The month of a moment in UTC, "2026-11", from years that begin in March (Howard Hinnant,
-- chrono-Compatible Low-Level Date Algorithms, civil_from_days).
local function month_of(moment)
	local floor = math.floor
	local days = floor(moment / 86400) + 719468
	local era = floor(days / 146097)
	days = days - era * 146097
	local year = floor((days - floor(days / 1460) + floor(days / 36524) -
		floor(days / 146096)) / 365)
	days = days - (365 * year + floor(year / 4) - floor(year / 100))
	local month = floor((5 * days + 2) / 153)
	if month < 10 then
		month = month + 3
	else
		month, year = month - 9, year + 1
	end
	return string.format('%04d-%02d', year + era * 400, month)
end

-- Points and time of posting in one number (store/points.h).
local points_unit, points_max = 4294967296, 200000

local function points_score(article)
	local points = math.max(-points_max,
		math.min(article.up - article.down, points_max))
	return string.format('%d', points * points_unit +
		math.min(article.posted, points_unit - 1))
end

-- The lists by points of all, or of a group, that an article may be in.
local function add_points_keys(lists, article, group)
	local month = month_of(article.posted)
	lists[#lists + 1] = points_key(article.tag, group)
	lists[#lists + 1] = month_key(article.tag,
		group and month .. '/' .. group or month)
end

local function points_lists(article)
	local lists = {}
	add_points_keys(lists, article)
	for group in string.gmatch(article.groups, '%S+') do
		add_points_keys(lists, article, group)
	end
	return lists
end

-- The article that was placed last, with its moment.
local function last_placed(versions)
	return redis.call('HGET', versions, 'placed') or ''
end

local function split_placed(placed)
	return string.match(placed, '^(%d+) (%d+)$')
end

local function is_open(article)
	return redis.call('EXISTS', article.voters) == 1
end

-- Whether an article is at or before the one that was placed last; post_5 has read it: placed.
local function is_passed(article)
	local moment, id = split_placed(article.placed or last_placed(article.versions))
	local later = moment and article.posted - moment
	return later and (later < 0 or later == 0 and article.id - id <= 0)
end

-- A damaged article is in no list by points.
local function has_points(article)
	return tonumber(article.up) and tonumber(article.down) and
		tonumber(article.posted)
end

-- The score of an article in its lists by points: false where it does not belong, nil where that
-- is left to placing. Reads its record of voters and the versions.
local function points_place(article)
	if article.removed or is_open(article) then
		return false
	elseif is_passed(article) then
		return points_score(article)
	end
end

-- Has placing go on from an article that may still be voted on, and that it has passed: one that
-- was loaded or restored, or posted after the clock was set back. Returns the number of changes.
local function note_open(article)
	local may_be = article.is_new or has_points(article) and is_open(article)
	if article.removed or not may_be or not is_passed(article) then
		return 0
	end
	redis.call('HSET', article.versions, 'placed', article.posted .. ' 0')
	return 1
end

-- The next articles of a bucket by time, with their moments, after the one that was placed last.
-- Many may be of one moment.
local function next_articles(time, versions, max)
	local moment, id = split_placed(last_placed(versions))
	local member = id and encode_id(id)
	if id and redis.call('ZSCORE', time, member) == moment then
		local rank = redis.call('ZRANK', time, member)
		return redis.call('ZRANGE', time, string.format('%d', rank + 1),
			string.format('%d', rank + max), 'WITHSCORES')
	end
	return redis.call('ZRANGE', time, moment or '-inf', '+inf', 'BYSCORE',
		'LIMIT', '0', max, 'WITHSCORES')
end

-- The articles of those that come before the first on which voting is open; of some only the id
-- and the moment, which are to be passed. What is no id is left out.
local function find_closed(tag, versions, found)
	local closed, needed = {}, {}
	for i = 1, #found, 2 do
		local id = decode_id(found[i])
		if id and string.find(found[i + 1], '^%d+$') then
			closed[#closed + 1] = { id = id, moment = found[i + 1] }
			needed[#needed + 1] = article_key(tag, id)
			needed[#needed + 1] = voters_key(tag, id)
		end
	end
	require_keys(versions, unpack(needed))
	for i, place in ipairs(closed) do
		if redis.call('EXISTS', voters_key(tag, place.id)) == 1 then
			return { unpack(closed, 1, i - 1) }
		end
		place.article = attempt(read_post, article_key(tag, place.id))
	end
	return closed
end

-- points_1 versions | max
-- Places the next articles by points, max at most, of those on which voting has closed. Returns
-- their number.
redis.register_function('points_1', function(keys, args)
	local tag = split_list_key(keys[1])
	local time, writes, needed = time_key(tag), {}, {}
	require_keys(keys[1], time)
	local closed = find_closed(tag, keys[1],
		next_articles(time, keys[1], args[1]))
	for _, place in ipairs(closed) do
		local article = place.article
		if article and not article.removed and has_points(article) then
			for _, list in ipairs(points_lists(article)) do
				needed[#needed + 1] = list
				writes[#writes + 1] = { list,
					points_score(article), encode_id(place.id) }
			end
		end
	end
	require_keys(keys[1], unpack(needed))
	for _, write in ipairs(writes) do
		redis.call('ZADD', unpack(write))
	end
	local last = closed[#closed]
	if last then
		redis.call('HSET', keys[1], 'placed', last.moment .. ' ' .. last.id)
	end
	return #closed
end)

tally.month_of = month_of
tally.add_points_keys, tally.points_lists = add_points_keys, points_lists
tally.points_place, tally.has_points = points_place, has_points
tally.is_open, tally.is_passed, tally.note_open = is_open, is_passed, note_open
end
