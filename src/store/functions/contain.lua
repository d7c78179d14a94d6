-- Containments: what one moderator's act does to a member's posts and votes, in steps, and taking
-- it back (store/containment.h). The act is the number of its entry in the log, and the record is
-- in the slot of that.

do
local require_keys, split_key = import('require_keys', 'split_key')
local decode_id = import('decode_id')
local containment_key, containments_key = import('containment_key', 'containments_key')
local contained_key, revoked_key = import('contained_key', 'revoked_key')
local settings_key, versions_key = import('settings_key', 'versions_key')
local mod_action_key = import('mod_action_key')
local log_of_decision_key = import('log_of_decision_key')
local register_change, words = import('register_change', 'words')
local fields_by_name, is_withdrawn = import('fields_by_name', 'is_withdrawn')
local take_away, take_waiting_away = import('take_away', 'take_waiting_away')
local restore_post, update_queue = import('restore_post', 'update_queue')
local is_waiting, set_mod_note = import('is_waiting', 'set_mod_note')
local removal_keys, change_voiding = import('removal_keys', 'change_voiding')
local mod_action_keys, note_mod_action_as = import('mod_action_keys', 'note_mod_action_as')
local admitted = import('admitted')
local is_noted, bump_settings_version = import('is_noted', 'bump_settings_version')

-- The entries of a member's posts, or of posts with the member's votes: the act, and after an
-- undo minus the act where that left them as they are.
local function list_of(key_of, tag, user)
	return key_of(tag, '@' .. user)
end

local function note_entry(list, post, score, seconds)
	redis.call('ZADD', list, score, post.member)
	redis.call('EXPIRE', list, seconds)
end

local function has_entry(list, post, act)
	return redis.call('ZSCORE', list, post.member) == act
end

-- For how many times as long a record is kept while steps are left.
local unfinished = 30

-- Has a record expire: after the seconds in which the act can be taken back, or, while steps are
-- left, long after that. A record of the former version has no seconds, and expires anyway.
local function expire_record(record, seconds, is_complete)
	if seconds then
		redis.call('EXPIRE', record, string.format('%d',
			seconds * (is_complete and 1 or unfinished)))
	end
end

-- Blocks hosts, up to max of them; returns those that were not blocked before.
local function block_hosts(tag, hosts, max)
	local settings, is_blocked, blocked = settings_key(tag), {}, {}
	local all = words(redis.call('HGET', settings, 'hosts') or '')
	for _, host in ipairs(all) do
		is_blocked[host] = true
	end
	for _, host in ipairs(words(hosts)) do
		if not is_blocked[host] and #all < tonumber(max) then
			all[#all + 1], blocked[#blocked + 1] = host, host
		end
	end
	if #blocked > 0 then
		redis.call('HSET', settings, 'hosts', table.concat(all, ' '))
		bump_settings_version(tag)
	end
	return table.concat(blocked, ' ')
end

local function allow_hosts(tag, hosts)
	local settings, is_allowed, kept = settings_key(tag), {}, {}
	for _, host in ipairs(words(hosts)) do
		is_allowed[host] = true
	end
	local all = words(redis.call('HGET', settings, 'hosts') or '')
	for _, host in ipairs(all) do
		if not is_allowed[host] then
			kept[#kept + 1] = host
		end
	end
	if #kept < #all then
		redis.call('HSET', settings, 'hosts', table.concat(kept, ' '))
		bump_settings_version(tag)
	end
end

-- contain_1 act | hosts_max containments_max seconds count name value... name value...
-- Logs an act, blocks the hosts of the containment, and records it until so many seconds after its
-- end: "full" when there are max. First the count words of the record, and then those of the
-- action. "taken" when another action has the number.
redis.register_function('contain_1', function(keys, args)
	local tag, _, act = split_key(keys[1])
	local first = 5 + args[4]
	local record, open = containment_key(tag, act), containments_key(tag)
	require_keys(keys[1], record, open, settings_key(tag), versions_key(tag),
		unpack(mod_action_keys(tag, args, first)))
	if redis.call('EXISTS', keys[1]) == 1 then
		return is_noted(keys[1], { unpack(args, first) }) and 'ok' or 'taken'
	elseif redis.call('SCARD', open) - args[2] >= 0 then
		return 'full'
	end
	local fields = { unpack(args, 5, first - 1) }
	local hosts = block_hosts(tag, fields_by_name(fields, 1).hosts, args[1])
	redis.call('HSET', record, unpack(fields))
	redis.call('HDEL', record, 'hosts')
	note_mod_action_as(tag, act, args, first)
	redis.call('HSET', record, 'at', redis.call('HGET', keys[1], 'at'))
	if hosts ~= '' then
		redis.call('HSET', record, 'hosts', hosts)
		redis.call('HSET', keys[1], 'hosts', hosts)
	end
	redis.call('HSET', record, 'seconds', args[3])
	expire_record(record, args[3], false)
	redis.call('SADD', open, act)
	return 'ok'
end)

-- uncontain_1 act | former name value...
-- Logs an act that takes back a former one, unblocks the hosts that it blocked, and notes in the
-- record of the former one that the rest is to be taken back: "absent" when there is no record,
-- "closed" when it is not complete, or was taken back already. The names and values are those of
-- the action.
redis.register_function('uncontain_1', function(keys, args)
	local tag, _, act = split_key(keys[1])
	local record = containment_key(tag, args[1])
	require_keys(keys[1], record, settings_key(tag), versions_key(tag),
		unpack(mod_action_keys(tag, args, 2)))
	if redis.call('EXISTS', keys[1]) == 1 then
		return is_noted(keys[1], { unpack(args, 2) }) and 'ok' or 'taken'
	end
	local state = redis.call('HMGET', record, 'state', 'hosts', 'seconds')
	if not state[1] then
		return 'absent'
	elseif state[1] ~= 'done' then
		return 'closed'
	end
	if state[2] then
		allow_hosts(tag, state[2])
	end
	note_mod_action_as(tag, act, args, 2)
	redis.call('HSET', record, 'state', 'undoing', 'undo', act)
	redis.call('HDEL', record, 'cursor')
	expire_record(record, state[3], false)
	return 'ok'
end)

-- rename_contained_1 containment | member
-- Replaces a member's name by that of "17 ann", while the containment can be taken back.
redis.register_function('rename_contained_1', function(keys, args)
	local user = string.match(args[1], '^%d+')
	for _, field in ipairs({ 'member', 'by' }) do
		local there = redis.call('HGET', keys[1], field) or ''
		if string.match(there, '^%d+') == user then
			redis.call('HSET', keys[1], field, args[1])
		end
	end
	return 'ok'
end)

-- The entry of the decision that an act is a part of, and those of all parts; nothing, otherwise.
local function entries_of_decision(tag, entry)
	local decision = redis.call('HGET', entry, 'decision')
	if not decision then
		return {}
	end
	local parts = log_of_decision_key(tag, decision)
	require_keys(entry, parts)
	local entries = { mod_action_key(tag, decision) }
	for _, part in ipairs(redis.call('ZRANGE', parts, '0', '-1')) do
		entries[#entries + 1] = mod_action_key(tag, decode_id(part))
	end
	return entries
end

-- Writes how many votes the parts of a decision have changed, into its entry, the first of these.
local function count_votes(entries)
	local votes = 0
	for i = 2, #entries do
		votes = votes + (redis.call('HGET', entries[i], 'votes') or 0)
	end
	if entries[1] and redis.call('EXISTS', entries[1]) == 1 then
		redis.call('HSET', entries[1], 'votes', string.format('%d', votes))
	end
end

-- progress_1 containment | state cursor state_after cursor_after name value...
-- Notes how far a containment is: "taken" when another relay did, "absent" when there is none.
-- The names and values are of the log's entry: that of the act or, once it is taken back, of the
-- act that did so.
redis.register_function('progress_1', function(keys, args)
	local tag, _, act = split_key(keys[1])
	local there = redis.call('HMGET', keys[1], 'state', 'cursor', 'undo', 'seconds')
	local entry = mod_action_key(tag, args[1] == 'undoing' and there[3] or act)
	require_keys(keys[1], entry)
	local decided = entries_of_decision(tag, entry)
	require_keys(keys[1], entry, unpack(decided))
	if not there[1] then
		return 'absent'
	elseif there[1] ~= args[1] or (there[2] or '') ~= args[2] then
		return 'taken'
	end
	redis.call('HSET', keys[1], 'state', args[3], 'cursor', args[4])
	if args[3] ~= args[1] then
		expire_record(keys[1], there[4], true)
	end
	if #args > 4 and redis.call('EXISTS', entry) == 1 then
		redis.call('HSET', entry, unpack(args, 5))
		count_votes(decided)
	end
	return 'ok'
end)

-- contain_post_1 post | act by reason seconds
-- Removes a post, and notes for so many seconds that the act did. Its flags stay open: an undo puts it
-- back into the queue.
register_change('contain_post_1', function(post, args)
	local list = list_of(contained_key, post.tag, post.author)
	require_keys(list, unpack(removal_keys(post, {})))
	if post.removed and not is_waiting(post) then
		-- Its answer was lost.
		return has_entry(list, post, args[1]) and 'ok' or 'removed'
	end
	local take = post.removed and take_waiting_away or take_away
	take(post, args[2] ~= '' and args[2] or nil, args[3] ~= '' and args[3] or nil)
	note_entry(list, post, args[1], args[4])
	return 'ok'
end)

-- Has a removed post wait again, that was never shown.
local function wait_again(post)
	post.removed = post.held
	redis.call('HSET', post.key, 'removed', post.held)
	redis.call('HDEL', post.key, 'removed_by')
	set_mod_note(post)
	post.kind.write_removal(post)
	update_queue(post)
end

-- uncontain_post_1 post | act vote_score groups seconds
-- Restores a post that the act removed: "taken" when somebody has decided otherwise since.
register_change('uncontain_post_1', function(post, args)
	local list = list_of(contained_key, post.tag, post.author)
	require_keys(post.key, list)
	if not has_entry(list, post, args[1]) then
		return 'taken'
	end
	post.groups = post.removed and admitted(post, args[3]) or post.groups
	require_keys(list, unpack(removal_keys(post, {})))
	if not post.removed or is_withdrawn(post) then
		note_entry(list, post, '-' .. args[1], args[4])
		return 'taken'
	end
	if post.held then
		wait_again(post)
	else
		restore_post(post, args[2], post.groups)
	end
	redis.call('ZREM', list, post.member)
	return 'ok'
end)

-- contain_vote_1 post | user voided wanted vote_score interesting act seconds
-- Voids a vote, or counts it again, as void_1, and notes for so many seconds that the act did.
register_change('contain_vote_1', function(post, args)
	local list = list_of(revoked_key, post.tag, args[1])
	return change_voiding(post, args, { list }, function()
		note_entry(list, post, args[6], args[7])
	end)
end)

-- uncontain_vote_1 post | user voided wanted vote_score interesting act seconds
-- Takes back what contain_vote_1 did: "taken" when somebody has decided otherwise since.
register_change('uncontain_vote_1', function(post, args)
	local list = list_of(revoked_key, post.tag, args[1])
	require_keys(post.key, list)
	if not has_entry(list, post, args[6]) then
		return 'taken'
	end
	local outcome = change_voiding(post, args, { list }, function()
		redis.call('ZREM', list, post.member)
	end)
	if outcome ~= 'ok' then
		note_entry(list, post, '-' .. args[6], args[7])
	end
	return outcome
end)

-- drop_entry_1 list | member act
-- Passes over an entry whose post cannot be changed.
redis.register_function('drop_entry_1', function(keys, args)
	if redis.call('ZSCORE', keys[1], args[1]) == args[2] then
		redis.call('ZADD', keys[1], '-' .. args[2], args[1])
	end
	return decode_id(args[1]) and 'ok' or 'absent'
end)

-- unsuspend_1 user | until reason before before_reason
-- Makes a suspension what it was before, unless it has been changed since: "taken".
redis.register_function('unsuspend_1', function(keys, args)
	local there = redis.call('HMGET', keys[1], 'suspended', 'suspension')
	if (there[1] or '0') == args[3] and (there[2] or '') == args[4] then
		return { 'ok' }
	elseif there[1] ~= args[1] or (there[2] or '') ~= args[2] then
		return { 'taken' }
	elseif args[3] == '0' then
		redis.call('HDEL', keys[1], 'suspended', 'suspension')
	else
		redis.call('HSET', keys[1], 'suspended', args[3], 'suspension', args[4])
	end
	return { 'ok' }
end)
end
