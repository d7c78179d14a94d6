-- limit_1 limit | an_hour
-- Counts one more, unless there were too many: then answers "limited" and the
-- seconds until one more is allowed. As many as the limit may come at once, after
-- that one at a time, evenly over the hour (the generic cell rate algorithm, ITU-T
-- I.371: the key holds the theoretical arrival time, at which all that came would
-- have come if evenly spaced, in microseconds).
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
