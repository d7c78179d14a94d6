do
local require_keys = import('require_keys')
local register_change, bump_version = import('register_change', 'bump_version')
local set_text, write_place = import('set_text', 'write_place')
local publisher_lists = import('publisher_lists')

-- Moves an article from the lists of its publisher to those of the present one.
local function move_lists(article, left, entered)
	local member = article.member
	for _, list in ipairs(left) do
		write_place(list, false, member)
	end
	for _, list in ipairs(entered) do
		write_place(list, not article.removed and article.posted, member)
	end
end

-- publisher_1 article | url publisher
-- Sets the publisher of an article. "absent" when it has another link, or none any more.
register_change('publisher_1', function(article, args)
	if (redis.call('HGET', article.key, 'url') or '') ~= args[1] then
		return 'absent'
	end
	if (article.from or '') == args[2] then
		return 'ok'
	end
	local left = publisher_lists(article)
	article.from = args[2] ~= '' and args[2] or nil
	local entered = publisher_lists(article)
	require_keys(article.key, article.versions, unpack(left))
	require_keys(article.key, unpack(entered))
	bump_version(article, 'lists')
	bump_version(article, 'edits')
	set_text(article, 'from', args[2])
	move_lists(article, left, entered)
	return 'ok'
end)
end
