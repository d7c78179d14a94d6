-- Refresh: writes what is derived from a record, whatever is there. Data are moved on to a
-- new layout in this way (store/move.h), repaired (archive/check.h) and loaded (load.lua).
-- In which lists a post is says places (article.lua, comment.lua), as for all other functions.
--
-- Sums over posts are not derived from one post: karma, and an article's counts of comments.
-- What adds a post counts it there. They are summed again by set_karma_1, and by refreshing the
-- article.

do
local require_keys = import('require_keys')
local split_key, split_list_key = import('split_key', 'split_list_key')
local versions_key, all_member_keys = import('versions_key', 'all_member_keys')
local kinds, require_post = import('kinds', 'require_post')
local fields_by_name = import('fields_by_name')
local register_change, bump_version = import('register_change', 'bump_version')
local move_to_lists, note_interesting = import('move_to_lists', 'note_interesting')
local update_queue, log_list_keys = import('update_queue', 'log_list_keys')
local refresh_mod_action, refresh_inbox =
	import('refresh_mod_action', 'refresh_inbox')
local refresh_hidden, refresh_follows =
	import('refresh_hidden', 'refresh_follows')
local refresh_saved, refresh_recovery =
	import('refresh_saved', 'refresh_recovery')
local thread_place, removal_state = import('thread_place', 'removal_state')
local write_state, trim_newest = import('write_state', 'trim_newest')
local record_bit, leave_layout_4 = import('record_bit', 'leave_layout_4')
local count_votes, expiry_differs = import('count_votes', 'expiry_differs')
local count_records, misplaced = import('count_records', 'misplaced')
local thread_key, interesting_key = import('thread_key', 'interesting_key')
local write_scores, refresh_active = import('write_scores', 'refresh_active')
local karma_audit, audit_karma = import('karma_audit', 'audit_karma')
local note_open, admitted = import('note_open', 'admitted')
local set_text, containments_key = import('set_text', 'containments_key')
local check_containment = import('check_containment')

-- Sets the counts from the record of voters, while there is one that can be read. Returns
-- the number of changes.
local function refresh_votes(post)
	local voters = redis.call('SMEMBERS', post.voters)
	local up, down, both, strange = count_votes(voters)
	if #voters == 0 or both + strange > 0 then
		return 0
	end
	redis.call('SADD', post.voters, '0')
	if expiry_differs(post) then
		redis.call('PEXPIREAT', post.voters,
			string.format('%d', post.closes * 1000 - 1))
	end
	if tonumber(post.up) == up and tonumber(post.down) == down then
		return 0
	end
	post.up, post.down = string.format('%d', up), string.format('%d', down)
	post.kind.store_counts(post, { 'up', post.up, 'down', post.down })
	return 1
end

-- Its lists by score, its groups, the counts of its comments, from its thread; whether there are interesting
-- articles; and that placing by points has not passed it while it is open.
kinds.article.refresh = function(article)
	local changes = write_scores(article) + note_open(article)
	if article.groups ~= (redis.call('HGET', article.key, 'groups') or '') then
		set_text(article, 'groups', article.groups)
		changes = changes + 1
	end
	if article.interesting then
		note_interesting(article.versions, interesting_key(article.tag))
	end
	local stored = redis.call('HMGET', article.key, 'commented', 'comments')
	local last, shown = count_records(thread_key(article.tag, article.id))
	if tonumber(stored[1] or 0) == last and tonumber(stored[2] or 0) == shown then
		return changes
	end
	redis.call('HSET', article.key, 'commented', string.format('%d', last),
		'comments', string.format('%d', shown))
	return changes + 1
end

-- The state in its record, the length of the list of the newest, and since when its article is
-- active.
kinds.comment.refresh = function(comment)
	local place = thread_place(comment)
	leave_layout_4(comment, place.thread, record_bit(place, 'days'))
	trim_newest(comment)
	local changes = 0
	if comment.state ~= removal_state(comment) then
		write_state(comment, place)
		changes = 1
	end
	return changes + refresh_active(comment)
end

-- Refreshes a post that was read and has adopted its bucket's lists; all keys were required.
local function refresh_post(post, vote_score)
	local changes = refresh_votes(post) + move_to_lists(post, vote_score) +
		post.kind.refresh(post)
	update_queue(post)
	if changes > 0 then
		bump_version(post, 'lists')
		bump_version(post, 'edits')
	end
end

-- refresh_post_1 post | vote_score
-- Refreshes an article or a comment: its counts, lists and place in the queue. Returns "ok",
-- and the number of an article's last comment. "absent" also of a comment without a record:
-- its parent and its time stand nowhere else.
register_change('refresh_post_1', function(post, args)
	post.groups = admitted(post, post.groups)
	post.kind.adopt(post)
	require_post(post)
	if post.kind == kinds.comment and post.posted == 0 then
		return { 'absent' }
	end
	refresh_post(post, args[1])
	return { 'ok', redis.call('HGET', post.key, 'commented') or '0' }
end)

-- refresh_act_1 act |
-- Refreshes the lists of a moderator's action.
redis.register_function('refresh_act_1', function(keys)
	local tag, _, id = split_key(keys[1])
	local action = fields_by_name(redis.call('HGETALL', keys[1]), 1)
	if not action.what or not action.at then
		return 'absent'
	end
	require_keys(keys[1], unpack(log_list_keys(tag, action)))
	refresh_mod_action(tag, id, action)
	return 'ok'
end)

-- refresh_member_1 user | max codes
-- Refreshes what a member has in the member's slot: the counts of notifications, and at most
-- max of these, and that of changes of what is saved; that members who were muted are
-- hidden; and, unless codes is left out, at most so many codes of recovery. A closed account has none.
redis.register_function('refresh_member_1', function(keys, args)
	local others = all_member_keys(keys[1])
	require_keys(keys[1], unpack(others))
	local v = redis.call('HMGET', keys[1], 'name', 'closed')
	if not v[1] then
		return 'absent'
	elseif v[2] then
		redis.call('DEL', unpack(others))
		redis.call('HDEL', keys[1], 'hidden', 'follows', 'home', 'factor',
			'factor_on', 'factor_used')
	else
		refresh_inbox(keys[1], args[1])
		refresh_hidden(keys[1])
		refresh_follows(keys[1])
		refresh_saved(keys[1])
		if args[2] then
			refresh_recovery(keys[1], args[2])
		end
	end
	return 'ok'
end)

-- trim_1 list | cursor
-- The same as belongs_1, and removes what does not belong there.
redis.register_function('trim_1', function(keys, args)
	local answer, members = misplaced(keys[1], args[1])
	local tag = split_list_key(keys[1])
	require_keys(keys[1], versions_key(tag))
	for _, member in ipairs(members) do
		redis.call('ZREM', keys[1], member)
	end
	if #members > 0 then
		bump_version({ versions = versions_key(tag) }, 'lists')
		bump_version({ versions = versions_key(tag) }, 'edits')
	end
	return answer
end)

-- repair_containment_1 containment | seconds name kind...
-- Has the set of containments name one that is whole, and no other; and has a record expire.
redis.register_function('repair_containment_1', function(keys, args)
	local tag, _, act = split_key(keys[1])
	local open = containments_key(tag)
	require_keys(keys[1], open)
	if check_containment(keys[1], { unpack(args, 2) }, function() end) then
		redis.call('SADD', open, act)
	else
		redis.call('SREM', open, act)
	end
	if redis.call('TTL', keys[1]) == -1 then
		redis.call('EXPIRE', keys[1], args[1])
	end
	return 'ok'
end)

-- unclaim_1 claims | field value
-- Deletes a claim, if it still has that value.
redis.register_function('unclaim_1', function(keys, args)
	if redis.call('HGET', keys[1], args[1]) == args[2] then
		redis.call('HDEL', keys[1], args[1])
	end
	return 'ok'
end)

-- set_karma_1 karma | calls token author since max id...
-- The last call of a sum that karma_4 has made in calls: sets the author's karma to it.
-- "absent" when another sum was started.
redis.register_function('set_karma_1', function(keys, args)
	local answer = audit_karma(keys[1], { unpack(args, 2) })
	if answer[3] - args[1] ~= 0 then
		return 'absent'
	end
	redis.call('HSET', keys[1], args[3], string.format('%d', karma_audit.sum))
	return 'ok'
end)

tally.refresh_post = refresh_post
end
