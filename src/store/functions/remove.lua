do
local all_here, member_of = import('all_here', 'member_of')
local flags_of, queue_of = import('flags_of', 'queue_of')
local now, by_name, is_withdrawn = import('now', 'by_name', 'is_withdrawn')
local register_change, set_ruling = import('register_change', 'set_ruling')
local set_groups, note_gone = import('set_groups', 'note_gone')
local keys_of_act, note_act = import('keys_of_act', 'note_act')
local settle_flags, renew_queue = import('settle_flags', 'renew_queue')

-- Takes a post down, and tells its author why.
local function take_down(post, by, reason)
	post.kind.edited(post)
	redis.call('HSET', post.key, 'removed', now())
	if by then
		redis.call('HSET', post.key, 'removed_by', by)
	end
	set_ruling(post, reason)
	post.kind.leave(post)
	note_gone(post)
	settle_flags(post)
end

-- Its lists, its flags, and what else is given.
local function keys_around(post, keys)
	for _, key in ipairs(post.kind.places(post)) do
		keys[#keys + 1] = key
	end
	keys[#keys + 1], keys[#keys + 2] = flags_of(post), queue_of(post.tag)
	keys[#keys + 1] = post.versions
	return keys
end

-- remove_3 post | buckets name value...
-- Takes the post out of its lists. What restore_3 needs stays in its hash. The names
-- and values are those of the act. A moderator's own was removed by nobody: by its author
-- it would be withdrawn.
register_change('remove_3', function(post, args)
	if not post.removed then
		local act = by_name(args, 2)
		all_here(unpack(keys_around(post, keys_of_act(post.tag, args, 2))))
		local is_own = string.match(act.by or '', '^%d+') == post.author
		take_down(post, not is_own and act.by, act.reason)
		note_act(post.tag, args[1], args, 2)
	end
	return 'ok'
end)

-- withdraw_1 post | user
-- The same by its author, while it takes votes; its counts and karma stay. Done twice
-- it is done once, as all of this: a command is sent again when its answer is lost.
register_change('withdraw_1', function(post, args)
	if post.removed then
		return is_withdrawn(post) and post.author == args[1] and 'ok' or
			'removed'
	elseif post.author ~= args[1] then
		return 'absent'
	end
	all_here(post.voters, unpack(keys_around(post, {})))
	if redis.call('EXISTS', post.voters) == 0 then
		return 'closed'
	end
	take_down(post, redis.call('HGET', post.key, 'author'))
	return 'ok'
end)

-- delete_1 post | user
-- Its author takes it back for good, text and all, at any time; counts and karma stay.
-- What moderators removed stays as it is.
register_change('delete_1', function(post, args)
	if post.author ~= args[1] then
		return 'absent'
	end
	if post.removed then
		return is_withdrawn(post) and 'ok' or 'removed'
	end
	all_here(post.key, unpack(keys_around(post, {})))
	post.kind.erase(post, '')
	take_down(post, redis.call('HGET', post.key, 'author'))
	return 'ok'
end)

-- restore_3 post | vote_score groups buckets name value...
-- Puts it back as it was, in those of its groups that there still are. What its author
-- has withdrawn stays so: "own".
register_change('restore_3', function(post, args)
	if not post.removed then
		return 'ok'
	end
	if is_withdrawn(post) then
		return 'own'
	end
	post.groups = args[2]
	all_here(unpack(keys_around(post, keys_of_act(post.tag, args, 4))))
	post.kind.edited(post)
	redis.call('HDEL', post.key, 'removed', 'removed_by')
	set_groups(post, args[2])
	set_ruling(post, by_name(args, 4).reason)
	redis.call('ZREM', post.kind.gone(post), member_of(post.id))
	post.kind.enter(post, args[1])
	renew_queue(post)
	note_act(post.tag, args[3], args, 4)
	return 'ok'
end)

-- disown_1 post | member erased
-- Writes a member, "17 ann" by whatever name, where the post names that member: as its
-- author, and as who removed it. With an erased text, that stands for all that the
-- author said in it, and the post is withdrawn.
register_change('disown_1', function(post, args)
	all_here(unpack(keys_around(post, { post.key })))
	local user = string.match(args[1], '^%d+')
	local by = redis.call('HGET', post.key, 'removed_by') or ''
	post.kind.edited(post)
	if string.match(by, '^%d+') == user then
		redis.call('HSET', post.key, 'removed_by', args[1])
	end
	if post.author ~= user then
		return 'ok'
	end
	redis.call('HSET', post.key, 'author', args[1])
	if args[2] ~= '' then
		post.kind.erase(post, args[2])
		if not post.removed then
			take_down(post, args[1])
		end
	end
	return 'ok'
end)
end
