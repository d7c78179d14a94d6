do
local all_here, group_lists_of = import('all_here', 'group_lists_of')
local member_of = import('member_of')
local words, register_change = import('words', 'register_change')
local note_change, set_groups = import('note_change', 'set_groups')
local score_of, take_out_of = import('score_of', 'take_out_of')

-- What is in the first set and not in the second, in order.
local function without(list, set)
	local rest = {}
	for _, word in ipairs(list) do
		if not set[word] then
			rest[#rest + 1] = word
		end
	end
	return rest
end

local function set_of(list)
	local set = {}
	for _, word in ipairs(list) do
		set[word] = true
	end
	return set
end

-- file_2 article | added removed max vote_score
-- Takes the article out of the groups removed and puts it into those added, both
-- names separated by spaces; the caller knows that they exist. "full" when it
-- would be in more than max.
register_change('file_2', function(article, args)
	if article.removed then
		return 'removed'
	end
	local before, added = words(article.groups), words(args[1])
	local groups = without(before, set_of(words(args[2])))
	local is_in = set_of(groups)
	for _, group in ipairs(added) do
		if not is_in[group] then
			is_in[group] = true
			groups[#groups + 1] = group
		end
	end
	if #groups > tonumber(args[3]) then
		return 'full'
	end

	local leaving, entering = without(before, is_in), without(groups, set_of(before))
	local touched = { article.key, article.versions }
	for _, list in ipairs({ leaving, entering }) do
		for _, group in ipairs(list) do
			touched[#touched + 1], touched[#touched + 2] =
				group_lists_of(article.tag, group)
		end
	end
	all_here(unpack(touched))
	note_change(article, 'lists')
	note_change(article, 'edits')
	set_groups(article, table.concat(groups, ' '))
	local member = member_of(article.id)
	for _, group in ipairs(leaving) do
		take_out_of({ group_lists_of(article.tag, group) }, member)
	end
	for _, group in ipairs(entering) do
		local time, score = group_lists_of(article.tag, group)
		redis.call('ZADD', time, article.posted, member)
		redis.call('ZADD', score, score_of(article, args[4]), member)
	end
	return 'ok'
end)
end
