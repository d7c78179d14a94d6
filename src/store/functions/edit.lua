do
local require_keys, changes_key = import('require_keys', 'changes_key')
local now, flags_of = import('now', 'flags_of')
local register_change, bump_version = import('register_change', 'bump_version')
local set_text, note_change = import('set_text', 'note_change')
local forget_decisions = import('forget_decisions')

-- The fields that differ, each a name, a value and seconds; is_late when it is too late for
-- one of them, and is_rewritten when the text is one.
local function find_changes(article, fields, moment)
	local changed, is_late, is_rewritten = {}, false, false
	for _, field in ipairs(fields) do
		local name, value, seconds = unpack(field)
		if value ~= (redis.call('HGET', article.key, name) or '') then
			changed[#changed + 1] = field
			is_late = is_late or seconds ~= '' and
				moment - article.posted - seconds >= 0
			is_rewritten = is_rewritten or name == 'text'
		end
	end
	return changed, is_late, is_rewritten
end

local function edit(article, links, fields)
	local moment = now()
	local changed, is_late, is_rewritten = find_changes(article, fields, moment)
	if article.removed then
		return 'removed'
	elseif moment - article.closes >= 0 or is_late then
		return 'closed'
	end
	if #changed == 0 then
		return 'ok'
	end
	require_keys(article.key, article.versions, flags_of(article),
		changes_key(article.tag))
	bump_version(article, 'edits')
	note_change(article)
	forget_decisions(article)
	redis.call('HSET', article.key, 'edited', moment)
	for _, field in ipairs(changed) do
		set_text(article, field[1], field[2])
	end
	if is_rewritten then
		set_text(article, 'links', links)
	end
	return 'ok'
end

-- edit_3 article | links (name value seconds)...
-- Changes those fields of an article that differ, and with the text its links. Each can be
-- changed for so many seconds after the article was posted, or with '' while it takes votes;
-- none after that: "closed".
register_change('edit_3', function(article, args)
	local fields = {}
	for i = 2, #args, 3 do
		fields[#fields + 1] = { args[i], args[i + 1], args[i + 2] }
	end
	return edit(article, args[1], fields)
end)

-- edit_2 article | seconds title text links
-- As the last release calls it.
register_change('edit_2', function(article, args)
	return edit(article, args[4],
		{ { 'title', args[2], args[1] }, { 'text', args[3], '' } })
end)
end
