-- dump_1 article |
-- All of an article at one moment: title url text author posted closes up down
-- groups interesting removed, then 1 when the record of who voted exists, and
-- the two sets of voters. Nothing at all when there is no such article.
redis.register_function({
	function_name = 'dump_1',
	callback = function(keys)
		if redis.call('EXISTS', keys[1]) == 0 then
			return {}
		end
		local values = redis.call('HMGET', keys[1], 'title', 'url',
			'text', 'author', 'posted', 'closes', 'up', 'down',
			'groups', 'interesting', 'removed')
		local article = keys_of(keys[1])
		values[12] = redis.call('EXISTS', article.up)
		values[13] = redis.call('SMEMBERS', article.up)
		values[14] = redis.call('SMEMBERS', article.down)
		return values
	end,
	flags = { 'no-writes' },
})

-- load_1 article | title url text author posted closes up down groups
--	interesting removed vote_score record ups voter...
-- Writes an article as a dump has it. record is 1 when who voted is known: then
-- ups of the voters are up and the rest down. "taken" when the id exists, with
-- 1 when it is this very article, as it is when a load is run again.
redis.register_function('load_1', function(keys, args)
	local key = keys[1]
	if redis.call('EXISTS', key) == 1 then
		local there = redis.call('HMGET', key,
			'title', 'url', 'text', 'author')
		local same = 1
		for i = 1, 4 do
			same = (there[i] or '') == args[i] and same or 0
		end
		return { 'taken', same }
	end
	local fields = { 'title', 'url', 'text', 'author', 'posted', 'closes',
		'up', 'down', 'groups', 'interesting', 'removed' }
	local written = {}
	for i, field in ipairs(fields) do
		if args[i] ~= '' or field == 'groups' then
			written[#written + 1] = field
			written[#written + 1] = args[i]
		end
	end
	redis.call('HSET', key, unpack(written))
	local article = read_article(key)
	if args[13] == '1' then
		local ups, ids, downs = tonumber(args[14]), { '0' }, {}
		for i = 15, #args do
			local list = i < 15 + ups and ids or downs
			list[#list + 1] = args[i]
		end
		add_voters(article.keys.up, ids, article.closes)
		if #downs > 0 then
			add_voters(article.keys.down, downs, article.closes)
		end
	end
	local karma = article.up - article.down - 1
	if karma ~= 0 then
		redis.call('HINCRBY', article.keys.karma, article.author, karma)
	end
	if not article.removed then
		enter_all_lists(article, tonumber(args[12]))
	end
	return { 'ok' }
end)
