do
local require_keys, group_list_keys = import('require_keys', 'group_list_keys')
local encode_id = import('encode_id')
local words, register_change = import('words', 'register_change')
local bump_version, set_text = import('bump_version', 'set_text')
local score_of = import('score_of')

-- The words of a list that are not in a set, in order.
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
-- Removes the article from groups and adds it to others; both are names separated by
-- spaces. The caller has checked that these groups exist. "full" when the article would be
-- in more than max groups.
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
				group_list_keys(article.tag, group)
		end
	end
	require_keys(unpack(touched))
	bump_version(article, 'lists')
	bump_version(article, 'edits')
	set_text(article, 'groups', table.concat(groups, ' '))
	local member = encode_id(article.id)
	for _, group in ipairs(leaving) do
		local time, score = group_list_keys(article.tag, group)
		redis.call('ZREM', time, member)
		redis.call('ZREM', score, member)
	end
	for _, group in ipairs(entering) do
		local time, score = group_list_keys(article.tag, group)
		redis.call('ZADD', time, article.posted, member)
		redis.call('ZADD', score, score_of(article, args[4]), member)
	end
	return 'ok'
end)
end
