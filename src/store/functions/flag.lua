-- Flags, and the moderators' queue, which has a post while one of its flags is open: not
-- dismissed. The queue is in order of each post's first open flag. A folded post is there until
-- moderators have looked at it, also when its flags were taken back.

do
local require_keys = import('require_keys')
local queue_key, flaggers_key = import('queue_key', 'flaggers_key')
local now, fields_by_name = import('now', 'fields_by_name')
local flags_of, register_change = import('flags_of', 'register_change')
local thread_key, bump_version = import('thread_key', 'bump_version')
local is_waiting, set_mod_note = import('is_waiting', 'set_mod_note')
local mod_action_keys = import('mod_action_keys')
local note_mod_action = import('note_mod_action')

-- The end of a dismissed flag's value.
local dismissed = ' dismissed'

local function is_open(flag)
	return string.sub(flag, -#dismissed) ~= dismissed
end

-- Seconds until flags expire after all were dismissed, or the last open one taken back; open ones
-- never do.
local flags_kept, forever = '2592000', '253402300799'

-- The first flag is the earliest, also when the clock was set back.
local function add_flag(post, user, reason)
	local moment = now()
	redis.call('HSET', flags_of(post), user, reason .. ' ' .. moment)
	redis.call('EXPIREAT', flags_of(post), forever, 'XX')
	redis.call('ZADD', queue_key(post.tag), 'LT', moment, post.member)
end

-- Closes all open flags, which expire then.
local function dismiss_flags(post)
	local flags = redis.call('HGETALL', flags_of(post))
	for i = 1, #flags, 2 do
		if is_open(flags[i + 1]) then
			redis.call('HSET', flags_of(post), flags[i],
				flags[i + 1] .. dismissed)
		end
	end
	redis.call('EXPIRE', flags_of(post), flags_kept)
	redis.call('ZREM', queue_key(post.tag), post.member)
end

-- Forgets what was decided on a text that was replaced: its members can flag the new one, and
-- enough flags fold it.
local function forget_decisions(post)
	redis.call('HDEL', post.key, 'kept')
	local flags = redis.call('HGETALL', flags_of(post))
	for i = 1, #flags, 2 do
		if not is_open(flags[i + 1]) then
			redis.call('HDEL', flags_of(post), flags[i])
		end
	end
end

-- The earlier of a time, or nil, and those of the open flags.
local function first_with_flags(post, first)
	for _, flag in ipairs(redis.call('HVALS', flags_of(post))) do
		local moment = string.match(flag, '%d+')
		if moment and is_open(flag) and (not first or moment - first < 0) then
			first = moment
		end
	end
	return first
end

-- The time of the first open flag, or nil. A post that waits to be shown needs none; folding counts
-- as one.
local function first_open_flag(post)
	return first_with_flags(post, is_waiting(post) and post.held or
		redis.call('HGET', post.key, 'folded') or nil)
end

-- Updates the queue from a post's flags.
local function update_queue(post)
	local first = (not post.removed or is_waiting(post)) and
		first_open_flag(post)
	if first then
		redis.call('ZADD', queue_key(post.tag), first, post.member)
	else
		redis.call('ZREM', queue_key(post.tag), post.member)
	end
end

-- Takes back a member's open flag. Dismissed ones expire when it was the last that was open.
local function remove_flag(post, user)
	redis.call('HDEL', flags_of(post), user)
	update_queue(post)
	if not first_with_flags(post) then
		redis.call('EXPIRE', flags_of(post), flags_kept)
	end
end

-- Adds to the members who flagged posts of a thread within the hour, for slow mode; a
-- member counts once.
local function flaggers_of(post)
	return flaggers_key(post.tag, (string.match(post.id, '^%d+')))
end

local function note_flagger(post, user)
	redis.call('SADD', flaggers_of(post), user)
	redis.call('EXPIRE', flaggers_of(post), '3600', 'NX')
end

-- flag_1 post | user reason
-- Sets a member's flag: another reason replaces the first, and "none" removes the flag. A
-- dismissed flag stays dismissed. "own" for the post's author.
register_change('flag_1', function(post, args)
	local user, reason = args[1], args[2]
	if post.held then
		return 'absent'
	elseif post.removed then
		return 'removed'
	elseif user == post.author then
		return 'own'
	end
	local flags = flags_of(post)
	require_keys(post.key, flags, queue_key(post.tag), flaggers_of(post))
	local flag = redis.call('HGET', flags, user)
	if flag and (reason ~= 'none' or not is_open(flag)) then
		redis.call('HSET', flags, user,
			(string.gsub(flag, '^%S+', reason)))
	elseif flag then
		remove_flag(post, user)
	elseif reason ~= 'none' then
		add_flag(post, user, reason)
		note_flagger(post, user)
	end
	return 'ok'
end)

-- What moderators have looked at once is not folded again.
local function unfold(post)
	if redis.call('HDEL', post.key, 'folded') == 1 then
		post.kind.note_edit(post)
		bump_version(post, 'edits')
		redis.call('HSET', post.key, 'kept', now())
	end
end

local function note_kept(post)
	unfold(post)
	redis.call('HSET', post.key, 'kept', now())
end

-- fold_1 post |
-- Folds a post that members have flagged, until moderators have looked at it.
register_change('fold_1', function(post)
	require_keys(post.key, post.versions, flags_of(post), queue_key(post.tag),
		thread_key(post.tag, (string.match(post.id, '^%d+'))))
	if post.removed then
		return 'removed'
	end
	local there = redis.call('HMGET', post.key, 'folded', 'kept')
	if not there[1] and not there[2] then
		post.kind.note_edit(post)
		bump_version(post, 'edits')
		redis.call('HSET', post.key, 'folded', now())
		update_queue(post)
	end
	return 'ok'
end)

-- dismiss_1 post | buckets name value...
-- Dismisses a post's flags; the names and values are those of the action. "held" for a post that
-- waits to be shown: release_1 does.
register_change('dismiss_1', function(post, args)
	if is_waiting(post) then
		return 'held'
	elseif post.removed then
		return 'removed'
	end
	local keys = mod_action_keys(post.tag, args, 2)
	keys[#keys + 1], keys[#keys + 2] = flags_of(post), queue_key(post.tag)
	keys[#keys + 1], keys[#keys + 2] = post.versions,
		thread_key(post.tag, (string.match(post.id, '^%d+')))
	require_keys(post.key, unpack(keys))
	if redis.call('ZSCORE', queue_key(post.tag), post.member) then
		dismiss_flags(post)
		note_kept(post)
		set_mod_note(post, fields_by_name(args, 2).reason)
		note_mod_action(post.tag, args[1], args, 2)
	end
	return 'ok'
end)

tally.add_flag, tally.dismiss_flags = add_flag, dismiss_flags
tally.forget_decisions = forget_decisions
tally.unfold, tally.note_kept = unfold, note_kept
tally.first_open_flag, tally.update_queue = first_open_flag, update_queue
end
