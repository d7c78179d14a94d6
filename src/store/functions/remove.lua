do
local require_keys = import('require_keys')
local queue_key, changes_key = import('queue_key', 'changes_key')
local now, fields_by_name = import('now', 'fields_by_name')
local bump_version = import('bump_version')
local is_withdrawn, flags_of = import('is_withdrawn', 'flags_of')
local register_change, erase_texts = import('register_change', 'erase_texts')
local set_mod_note, set_text = import('set_mod_note', 'set_text')
local note_change = import('note_change')
local move_to_lists, add_voters = import('move_to_lists', 'add_voters')
local is_waiting, kinds = import('is_waiting', 'kinds')
local write_scores = import('write_scores')
local unfold, note_kept = import('unfold', 'note_kept')
local mark_interesting = import('mark_interesting')
local mod_action_keys = import('mod_action_keys')
local note_mod_action = import('note_mod_action')
local dismiss_flags, update_queue = import('dismiss_flags', 'update_queue')
local admitted = import('admitted')
local contained_key, note_decision = import('contained_key', 'note_decision')

-- Takes a post out of all lists and the queue, with a reason for its author. Its flags stay open.
local function take_away(post, by, reason)
	post.kind.note_edit(post)
	note_change(post)
	post.removed = now()
	redis.call('HSET', post.key, 'removed', post.removed)
	if by then
		redis.call('HSET', post.key, 'removed_by', by)
	end
	set_mod_note(post, reason)
	move_to_lists(post)
	post.kind.note_shown(post, '-1')
	update_queue(post)
end

-- The same of a post that waits to be shown, and is in no list: from then on its removal is later
-- than the moment at which it was posted.
local function take_waiting_away(post, by, reason)
	post.removed = string.format('%d', math.max(now(), post.held + 1))
	redis.call('HSET', post.key, 'removed', post.removed)
	if by then
		redis.call('HSET', post.key, 'removed_by', by)
	end
	set_mod_note(post, reason)
	post.kind.write_removal(post)
	update_queue(post)
end

-- Removes a post of either kind, and closes its flags.
local function remove_post(post, by, reason)
	local take = is_waiting(post) and take_waiting_away or take_away
	take(post, by, reason)
	dismiss_flags(post)
end

-- Restores a removed post to groups, which are those of post.groups.
local function restore_post(post, vote_score, groups, reason)
	post.kind.note_edit(post)
	note_change(post)
	redis.call('HDEL', post.key, 'removed', 'removed_by')
	set_text(post, 'groups', groups)
	set_mod_note(post, reason)
	post.removed = nil
	move_to_lists(post, vote_score)
	post.kind.note_shown(post, '1')
	update_queue(post)
end

-- Adds the keys of a post's lists and flags to others.
local function removal_keys(post, keys)
	for _, key in ipairs(post.kind.list_keys(post)) do
		keys[#keys + 1] = key
	end
	keys[#keys + 1], keys[#keys + 2] = flags_of(post), queue_key(post.tag)
	keys[#keys + 1], keys[#keys + 2] = post.versions, changes_key(post.tag)
	return keys
end

-- remove_3 post | buckets name value...
-- Removes the post from its lists. What restore_3 needs stays in its hash. The names and
-- values are those of the action. removed_by stays empty when moderators remove their own
-- posts: one removed by its author counts as withdrawn.
register_change('remove_3', function(post, args)
	if not post.removed or is_waiting(post) then
		local action = fields_by_name(args, 2)
		require_keys(unpack(removal_keys(post, mod_action_keys(post.tag, args, 2))))
		local is_own = string.match(action.by or '', '^%d+') == post.author
		remove_post(post, not is_own and action.by, action.reason)
		note_mod_action(post.tag, args[1], args, 2)
	end
	return 'ok'
end)

-- withdraw_1 post | user
-- Removes a post for its author, while voting is open; counts and karma stay. Like all
-- functions it may run twice: a command is sent again when its reply is lost.
register_change('withdraw_1', function(post, args)
	if is_waiting(post) and post.author == args[1] then
		require_keys(unpack(removal_keys(post, {})))
		remove_post(post, post.signature)
		return 'ok'
	elseif post.removed then
		return is_withdrawn(post) and post.author == args[1] and 'ok' or
			'removed'
	elseif post.author ~= args[1] then
		return 'absent'
	end
	require_keys(post.voters, unpack(removal_keys(post, {})))
	if redis.call('EXISTS', post.voters) == 0 then
		return 'closed'
	end
	remove_post(post, post.signature)
	return 'ok'
end)

-- delete_1 post | user
-- Removes a post for its author at any time, and erases the texts; counts and karma stay.
-- "removed" when a moderator removed it.
register_change('delete_1', function(post, args)
	if post.author ~= args[1] then
		return 'absent'
	end
	if post.removed and not is_waiting(post) then
		return is_withdrawn(post) and 'ok' or 'removed'
	end
	require_keys(post.key, unpack(removal_keys(post, {})))
	erase_texts(post, '')
	remove_post(post, post.signature)
	return 'ok'
end)

-- restore_3 post | vote_score groups buckets name value...
-- Restores a removed post to the given groups, those that still exist, not folded. "own" when its
-- author has withdrawn it; "held" when it was never shown: release_1 does that.
register_change('restore_3', function(post, args)
	if not post.removed then
		return 'ok'
	end
	if is_withdrawn(post) then
		return 'own'
	elseif post.held then
		return 'held'
	end
	post.groups = admitted(post, args[2])
	local list = contained_key(post.tag, '@' .. post.author)
	require_keys(list, unpack(removal_keys(post, mod_action_keys(post.tag, args, 4))))
	unfold(post)
	restore_post(post, args[1], post.groups, fields_by_name(args, 4).reason)
	note_decision(post, list)
	note_mod_action(post.tag, args[3], args, 4)
	return 'ok'
end)

-- release_1 post | vote_score window interesting groups named buckets name value...
-- Shows a post that was held for the first time, in the given groups: it is posted now, and takes
-- votes for so many seconds. Of a comment, named are the members whom it mentions. "own" when its
-- author has withdrawn it. The claim of an article's link is taken before (claim_2).
register_change('release_1', function(post, args)
	if not post.held then
		return post.removed and 'removed' or 'ok'
	elseif is_withdrawn(post) then
		return 'own'
	end
	local keys = mod_action_keys(post.tag, args, 7)
	local list = contained_key(post.tag, '@' .. post.author)
	keys[#keys + 1] = list
	for _, key in ipairs(post.kind.release_keys(post)) do
		keys[#keys + 1] = key
	end
	post.groups = admitted(post, args[4])
	post.kind.adopt(post)
	require_keys(post.voters, unpack(removal_keys(post, keys)))
	require_keys(post.key, unpack(post.left or {}))
	post.kind.note_edit(post)
	note_change(post)
	redis.call('HDEL', post.key, 'removed', 'removed_by', 'held')
	post.removed, post.held, post.posted = nil, nil, now()
	post.closes = string.format('%d', post.posted + args[2])
	redis.call('HSET', post.key, 'closes', post.closes)
	set_text(post, 'groups', post.groups)
	post.kind.write_first_times(post, args[5])
	add_voters(post, { '0', post.author }, 1, 2)
	move_to_lists(post, args[1])
	post.kind.note_shown(post, '1')
	if post.kind == kinds.article then
		write_scores(post)
		mark_interesting(post, args[3])
	end
	dismiss_flags(post)
	note_kept(post)
	set_mod_note(post, fields_by_name(args, 7).reason)
	note_decision(post, list)
	note_mod_action(post.tag, args[6], args, 7)
	return 'ok'
end)

-- disown_1 post | member erased
-- Replaces a member's name by that of "17 ann" in the post's author and removed_by. When
-- erased is not empty, it replaces all texts of an author's post, which is withdrawn.
register_change('disown_1', function(post, args)
	require_keys(unpack(removal_keys(post, { post.key })))
	local user = string.match(args[1], '^%d+')
	local by = redis.call('HGET', post.key, 'removed_by') or ''
	post.kind.note_edit(post)
	-- Also for a comment: its name is on pages that are kept by this version.
	bump_version(post, 'edits')
	if string.match(by, '^%d+') == user then
		redis.call('HSET', post.key, 'removed_by', args[1])
	end
	if post.author ~= user then
		return 'ok'
	end
	note_change(post)
	redis.call('HSET', post.key, 'author', args[1])
	if args[2] ~= '' then
		erase_texts(post, args[2])
		if not post.removed or is_waiting(post) then
			remove_post(post, args[1])
		end
	end
	return 'ok'
end)

tally.take_away, tally.take_waiting_away = take_away, take_waiting_away
tally.restore_post = restore_post
tally.removal_keys = removal_keys
end
