-- remove_1 post |
-- Takes the post out of its lists. What restore_1 needs stays in its hash.
redis.register_function('remove_1', function(keys)
	local post = read_post(keys[1])
	if not post then
		return { 'absent' }
	end
	if post.removed then
		return { 'ok' }
	end
	note_change(post, 'edits')
	redis.call('HSET', post.key, 'removed', now())
	post.kind.leave(post)
	return { 'ok' }
end)

-- restore_1 post | vote_score
-- Puts it back as it was.
redis.register_function('restore_1', function(keys, args)
	local post = read_post(keys[1])
	if not post then
		return { 'absent' }
	end
	if not post.removed then
		return { 'ok' }
	end
	note_change(post, 'edits')
	redis.call('HDEL', post.key, 'removed')
	post.kind.enter(post, tonumber(args[1]))
	return { 'ok' }
end)
