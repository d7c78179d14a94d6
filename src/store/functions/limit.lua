-- limit_1 limit | an_hour
-- Counts one more, unless there were too many: then answers "limited" and the
-- seconds until one more is taken. So many an hour may come at once; afterwards
-- one at a time, as the hour lets them (the generic cell rate algorithm, ITU-T
-- I.371: the key holds the moment at which all that came would have been let
-- through evenly, in microseconds).
redis.register_function('limit_1', function(keys, args)
	local hour = 3600e6
	local apart = math.floor(hour / tonumber(args[1]))
	local time = redis.call('TIME')
	local moment = tonumber(time[1]) * 1e6 + tonumber(time[2])
	local even = tonumber(redis.call('GET', keys[1]) or 0)
	-- More than an hour ahead it is only when the clock was set back.
	if even < moment or even > moment + hour then
		even = moment
	end
	even = even + apart
	local wait = even - hour - moment
	if wait > 0 then
		return { 'limited', math.ceil(wait / 1e6) }
	end
	redis.call('SET', keys[1], string.format('%.0f', even),
		'PX', math.ceil((even - moment) / 1e3))
	return { 'ok' }
end)
