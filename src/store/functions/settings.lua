-- settings_1 settings | name value...
-- What the site's owners have set, all of it; and another version of it.
redis.register_function('settings_1', function(keys, args)
	local versions = list_of(keys[1]) .. 'versions'
	all_here(keys[1], versions)
	redis.call('DEL', keys[1])
	redis.call('HSET', keys[1], unpack(args))
	redis.call('HINCRBY', versions, 'settings', '1')
	return 'ok'
end)
