-- remove_1 article |
-- Takes the article out of every list. It keeps all that restore_1 needs.
redis.register_function('remove_1', function(keys)
	local article = read_article(keys[1])
	if not article then
		return { 'absent' }
	end
	if article.removed then
		return { 'ok' }
	end
	note_change(article, 'lists')
	note_change(article, 'edits')
	redis.call('HSET', article.key, 'removed', now())
	for _, list in ipairs(lists_of(article)) do
		leave_list(article, list)
	end
	redis.call('ZREM', article.keys.interesting, article.keys.member)
	return { 'ok' }
end)

-- restore_1 article | vote_score
-- Puts it back as it was.
redis.register_function('restore_1', function(keys, args)
	local article = read_article(keys[1])
	if not article then
		return { 'absent' }
	end
	if not article.removed then
		return { 'ok' }
	end
	note_change(article, 'edits')
	redis.call('HDEL', article.key, 'removed')
	enter_all_lists(article, tonumber(args[1]))
	return { 'ok' }
end)
