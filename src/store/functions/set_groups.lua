do
local require_keys, time_key = import('require_keys', 'time_key')
local active_key, active_since = import('active_key', 'active_since')
local thread_key = import('thread_key')
local changes_key = import('changes_key')
local words, register_change = import('words', 'register_change')
local bump_version, set_text = import('bump_version', 'set_text')
local note_change = import('note_change')
local scales_of, score_of = import('scales_of', 'score_of')
local write_place = import('write_place')
local add_points_keys, points_place = import('add_points_keys', 'points_place')
local has_points = import('has_points')
local mod_action_keys, note_mod_action = import('mod_action_keys', 'note_mod_action')

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

-- The lists of a group that the article enters or leaves, each with its score there.
local function group_places(article, group, enters, vote_score)
	local lists = { time_key(article.tag, group) }
	local scores = { enters and article.posted }
	lists[2], scores[2] = active_key(article.tag, group), enters and
		active_since(article)
	for _, scale in ipairs(scales_of(article)) do
		lists[#lists + 1] = scale.key_of(article.tag, group)
		scores[#lists] = enters and
			score_of(article, scale.worth or vote_score)
	end
	if has_points(article) then
		local first, score = #lists + 1, enters and points_place(article)
		add_points_keys(lists, article, group)
		for i = first, #lists do
			scores[i] = score
		end
	end
	return lists, scores
end

-- Logs that a moderator moved an article; a repeated call finds nothing to change, and does not.
local function note_move(article, args, first, groups)
	local fields = { unpack(args) }
	if groups ~= '' then
		fields[#fields + 1], fields[#fields + 2] = 'into', groups
	end
	note_mod_action(article.tag, args[first], fields, first + 1)
end

-- Sets the groups, and logs the action whose fields follow args[first], if there are any.
local function set_groups(article, args, first)
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

	local is_logged = #args > first
	require_keys(article.key, thread_key(article.tag, article.id), article.voters,
		article.versions)
	if is_logged then
		require_keys(unpack(mod_action_keys(article.tag, args, first + 1)))
	end
	local leaving, entering = without(before, is_in), without(groups, set_of(before))
	local touched, scores = { article.key, article.versions }, {}
	for _, changed in ipairs({ leaving, entering }) do
		for _, group in ipairs(changed) do
			local keys, values = group_places(article, group,
				changed == entering, args[4])
			for i = 1, #keys do
				touched[#touched + 1] = keys[i]
				scores[#touched] = values[i]
			end
		end
	end
	require_keys(changes_key(article.tag), unpack(touched))
	note_change(article)
	bump_version(article, 'lists')
	bump_version(article, 'edits')
	set_text(article, 'groups', table.concat(groups, ' '))
	for i = 3, #touched do
		write_place(touched[i], scores[i], article.member)
	end
	if is_logged and #leaving + #entering > 0 then
		note_move(article, args, first, table.concat(groups, ' '))
	end
	return 'ok'
end

-- file_2 article | added removed max vote_score
-- Removes the article from groups and adds it to others; both are names separated by
-- spaces. The caller has checked that these groups exist. "full" when the article would be
-- in more than max groups.
register_change('file_2', function(article, args)
	return set_groups(article, args, 5)
end)

-- file_3 article | added removed max vote_score buckets name value...
-- The same for a moderator: the names and values are those of the action, which gets the groups
-- that the article is then in, and is logged if they are others than before.
register_change('file_3', function(article, args)
	return set_groups(article, args, 5)
end)
end
