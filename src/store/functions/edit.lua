do
local all_here, flags_of = import('all_here', 'flags_of')
local now, register_change = import('now', 'register_change')
local note_change, set_links = import('note_change', 'set_links')
local forget_dismissed = import('forget_dismissed')

-- edit_2 article | seconds title text links
-- Changes the title, for so many seconds after the article was posted, and the text,
-- while it takes votes: otherwise "closed".
register_change('edit_2', function(article, args)
	local was = redis.call('HMGET', article.key, 'title', 'text')
	local moment, retitled = now(), args[2] ~= was[1]
	local rewritten = args[3] ~= (was[2] or '')
	if article.removed then
		return 'removed'
	elseif moment - article.closes >= 0 or
		retitled and moment - article.posted - args[1] >= 0 then
		return 'closed'
	end
	if retitled or rewritten then
		all_here(article.key, article.versions, flags_of(article))
		note_change(article, 'edits')
		forget_dismissed(article)
		redis.call('HSET', article.key, 'title', args[2], 'edited', moment)
		if rewritten then
			redis.call('HSET', article.key, 'text', args[3])
			set_links(article, args[4])
		end
	end
	return 'ok'
end)
end
