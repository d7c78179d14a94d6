do
local require_keys = import('require_keys')
local now, flags_of = import('now', 'flags_of')
local register_change, bump_version = import('register_change', 'bump_version')
local set_links = import('set_links')
local delete_dismissed = import('delete_dismissed')

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
		require_keys(article.key, article.versions, flags_of(article))
		bump_version(article, 'edits')
		delete_dismissed(article)
		redis.call('HSET', article.key, 'title', args[2], 'edited', moment)
		if rewritten then
			redis.call('HSET', article.key, 'text', args[3])
			set_links(article, args[4])
		end
	end
	return 'ok'
end)
end
