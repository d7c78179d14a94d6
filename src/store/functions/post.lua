-- post_1 article | title url text author groups window vote_score interesting
-- Creates the article with its author's vote. "taken" when it exists already.
redis.register_function('post_1', function(keys, args)
	local key, title, url, text = keys[1], args[1], args[2], args[3]
	local author, groups = args[4], args[5]
	local window, vote_score = tonumber(args[6]), tonumber(args[7])
	if redis.call('EXISTS', key) == 1 then
		return { 'taken' }
	end
	local moment = now()
	local article = {
		key = key, keys = keys_of(key), posted = moment,
		closes = moment + window, up = 1, down = 0,
		author = string.match(author, '^%d+'), groups = words(groups),
	}
	redis.call('HSET', key, 'title', title, 'author', author,
		'posted', moment, 'closes', article.closes, 'up', 1, 'down', 0,
		'groups', groups, url ~= '' and 'url' or 'text',
		url ~= '' and url or text)
	add_voters(article.keys.up, { '0', article.author }, article.closes)
	enter_all_lists(article, vote_score)
	note_interesting(article, tonumber(args[8]), moment)
	return { 'ok', moment }
end)
