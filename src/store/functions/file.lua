-- file_1 article | added removed max vote_score
-- Takes the article out of the groups removed and puts it into those added, both
-- names separated by spaces; the caller knows that they exist. "full" when it
-- would be in more than max.
register_change('file_1', function(article, args)
	if article.removed then
		return { 'removed' }
	end
	local before, leaving, entering, groups = {}, {}, {}, {}
	for _, group in ipairs(words(args[2])) do
		leaving[group] = true
	end
	for _, group in ipairs(article.groups) do
		before[group] = true
		if not leaving[group] then
			groups[#groups + 1] = group
		end
	end
	for _, group in ipairs(words(args[1])) do
		if (not before[group] or leaving[group]) and
			not entering[group] then
			entering[group] = true
			groups[#groups + 1] = group
		end
	end
	if #groups > tonumber(args[3]) then
		return { 'full' }
	end

	note_change(article, 'lists')
	note_change(article, 'edits')
	redis.call('HSET', article.key, 'groups', table.concat(groups, ' '))
	for group in pairs(leaving) do
		if not entering[group] then
			leave_list(article, ':' .. group)
		end
	end
	for group in pairs(entering) do
		enter_list(article, ':' .. group, tonumber(args[4]))
	end
	return { 'ok' }
end)
