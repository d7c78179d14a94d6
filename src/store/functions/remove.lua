-- remove_1 post |
-- Takes the post out of its lists. What restore_1 needs stays in its hash.
register_change('remove_1', function(post)
	if not post.removed then
		note_change(post, 'edits')
		redis.call('HSET', post.key, 'removed', now())
		post.kind.leave(post)
	end
	return { 'ok' }
end)

-- restore_1 post | vote_score
-- Puts it back as it was.
register_change('restore_1', function(post, args)
	if post.removed then
		note_change(post, 'edits')
		redis.call('HDEL', post.key, 'removed')
		post.kind.enter(post, tonumber(args[1]))
	end
	return { 'ok' }
end)
