-- remove_2 post |
-- Takes the post out of its lists. What restore_2 needs stays in its hash.
register_change('remove_2', function(post)
	if not post.removed then
		all_here(post.versions, unpack(post.kind.places(post)))
		note_change(post, 'edits')
		redis.call('HSET', post.key, 'removed', now())
		post.kind.leave(post)
	end
	return 'ok'
end)

-- restore_2 post | vote_score
-- Puts it back as it was.
register_change('restore_2', function(post, args)
	if post.removed then
		all_here(post.versions, unpack(post.kind.places(post)))
		note_change(post, 'edits')
		redis.call('HDEL', post.key, 'removed')
		post.kind.enter(post, args[1])
	end
	return 'ok'
end)
