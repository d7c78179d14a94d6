-- Front pages that are kept (store/front_hour.h).

do
local register_reader, require_keys = import('register_reader', 'require_keys')
local split_list_key, front_months_key = import('split_list_key', 'front_months_key')

local late = 60
local id_bytes = 5
local missing = 255

-- front_keep_1 front | month field ids moment
-- Keeps the page of an hour that begins at a moment; "closed" when that is not now. Without a
-- moment any hour is kept, as of a dump. "taken" when the hour has a page.
redis.register_function('front_keep_1', function(keys, args)
	local months = front_months_key((split_list_key(keys[1])))
	require_keys(keys[1], months)
	local past = args[4] ~= '' and redis.call('TIME')[1] - args[4] or 0
	if past < 0 or past >= late then
		return 'closed'
	end
	if redis.call('HEXISTS', keys[1], args[2]) == 1 then
		return 'taken'
	end
	redis.call('SADD', months, args[1])
	redis.call('HSET', keys[1], args[2], args[3])
	return 'ok'
end)

-- front_list_1 front | month
-- Lists a month if there are pages of it, and only then.
redis.register_function('front_list_1', function(keys, args)
	local months = front_months_key((split_list_key(keys[1])))
	require_keys(keys[1], months)
	if redis.call('EXISTS', keys[1]) == 1 then
		redis.call('SADD', months, args[1])
	else
		redis.call('SREM', months, args[1])
	end
	return 'ok'
end)

-- front_mark_1 article | moment
-- Notes the first hour whose page has the article. "absent" when there is no such article.
redis.register_function('front_mark_1', function(keys, args)
	require_keys(keys[1])
	if redis.call('EXISTS', keys[1]) == 0 then
		return 'absent'
	end
	local first = tonumber(redis.call('HGET', keys[1], 'front') or args[1])
	if not first or first <= 0 or args[1] - first <= 0 then
		redis.call('HSET', keys[1], 'front', args[1])
	end
	return 'ok'
end)

-- The place of an id among those of a page; 0 when it is not there.
local function place_of(page, id)
	local at = string.find(page, id, 1, true)
	while at and (at - 1) % id_bytes ~= 0 do
		at = string.find(page, id, at + 1, true)
	end
	return at and (at - 1) / id_bytes + 1 or 0
end

-- front_places_1 front | id first count
-- The places of an article, whose id is in bytes, in hours of the month, counted from 0: a byte for
-- each, 255 for an hour without a page.
register_reader('front_places_1', function(keys, args)
	local fields, places = {}, {}
	for hour = args[2] + 0, args[2] + args[3] - 1 do
		fields[#fields + 1] = string.format('%02dT%02d',
			math.floor(hour / 24) + 1, hour % 24)
	end
	for i, page in ipairs(redis.call('HMGET', keys[1], unpack(fields))) do
		places[i] = string.char(page and place_of(page, args[1]) or missing)
	end
	return table.concat(places)
end)
end
