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
local barred_from, admitted = import('barred_from', 'admitted')
local is_waiting = import('is_waiting')

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

-- What an article's change of groups writes: the keys, from the third on lists that it enters or
-- leaves with its scores there, or none while it is in no list; and how many groups change.
local function changed_places(article, groups, vote_score)
	local before = words(article.groups)
	local leaving, entering = without(before, set_of(groups)), without(groups, set_of(before))
	local touched, scores = { article.key, article.versions }, {}
	for _, changed in ipairs(article.removed and {} or { leaving, entering }) do
		for _, group in ipairs(changed) do
			local keys, values = group_places(article, group,
				changed == entering, vote_score)
			for i = 1, #keys do
				touched[#touched + 1] = keys[i]
				scores[#touched] = values[i]
			end
		end
	end
	return touched, scores, #leaving + #entering
end

-- Moves an article into groups. The caller has asked for the keys of what else it writes, and writes
-- that afterwards. Returns whether they are others than before.
local function enter_groups(article, groups, vote_score)
	require_keys(article.key, thread_key(article.tag, article.id), article.voters,
		article.versions)
	local touched, scores, changes = changed_places(article, groups, vote_score)
	require_keys(changes_key(article.tag), unpack(touched))
	note_change(article)
	bump_version(article, 'lists')
	bump_version(article, 'edits')
	set_text(article, 'groups', table.concat(groups, ' '))
	for i = 3, #touched do
		write_place(touched[i], scores[i], article.member)
	end
	return changes > 0
end

-- The groups of a list, and then others that are not among them.
local function joined(list, others)
	local all, is_in = { unpack(list) }, set_of(list)
	for _, word in ipairs(others) do
		if not is_in[word] then
			is_in[word] = true
			all[#all + 1] = word
		end
	end
	return all
end

-- Sets the groups, and logs the action whose fields follow args[first], if there are any. Groups that
-- the article was taken out of are left out, whether its author or a moderator adds them.
local function set_groups(article, args, first)
	if article.removed then
		return 'removed'
	end
	local groups = joined(without(words(article.groups), set_of(words(args[2]))),
		words(admitted(article, args[1])))
	if #groups > tonumber(args[3]) then
		return 'full'
	end
	local is_logged = #args > first
	if is_logged then
		require_keys(unpack(mod_action_keys(article.tag, args, first + 1)))
	end
	if enter_groups(article, groups, args[4]) and is_logged then
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

-- bar_1 article | group field max vote_score buckets name value...
-- Takes an article out of a group, where nobody can file it again. The names and values are those of
-- the action. The group's name is kept in a field, "barred", or "barred_by_site" where a moderator of the
-- site did it. "absent" when it is not in the group; "full" when it was taken out of max others.
register_change('bar_1', function(article, args)
	local group = args[1]
	local barred, by_site = barred_from(article)
	local is_barred = set_of(joined(barred, by_site))
	if article.removed and not is_waiting(article) then
		return 'removed'
	elseif is_barred[group] then
		return 'ok'
	elseif not set_of(words(article.groups))[group] then
		return 'absent'
	elseif #barred + #by_site >= tonumber(args[3]) then
		return 'full'
	end
	require_keys(article.key, unpack(mod_action_keys(article.tag, args, 6)))
	enter_groups(article, without(words(article.groups), { [group] = true }), args[4])
	local before = args[2] == 'barred' and barred or by_site
	set_text(article, args[2], table.concat(joined(before, { group }), ' '))
	note_mod_action(article.tag, args[5], args, 6)
	return 'ok'
end)

-- unbar_1 article | group names all max vote_score buckets name value...
-- Puts an article back into a group, which has had these names; all is "1" when also what moderators
-- of the site took out is put back, and otherwise that is "absent". "full" when it is in max groups.
register_change('unbar_1', function(article, args)
	local names = set_of(words(args[2]))
	local barred, by_site = barred_from(article)
	local rest, rest_by_site = without(barred, names), without(by_site, names)
	local groups = joined(words(article.groups), { args[1] })
	if article.removed and not is_waiting(article) then
		return 'removed'
	elseif #rest_by_site < #by_site and args[3] ~= '1' then
		return 'absent'
	elseif #rest == #barred and #rest_by_site == #by_site then
		return 'ok'
	elseif #groups > tonumber(args[4]) then
		return 'full'
	end
	require_keys(article.key, unpack(mod_action_keys(article.tag, args, 7)))
	enter_groups(article, groups, args[5])
	set_text(article, 'barred', table.concat(rest, ' '))
	set_text(article, 'barred_by_site', table.concat(rest_by_site, ' '))
	note_mod_action(article.tag, args[6], args, 7)
	return 'ok'
end)
end
