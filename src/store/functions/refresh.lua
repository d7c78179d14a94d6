-- Refresh: writes what is derived from a record, whatever is there. Data are moved on to a
-- new layout in this way (store/move.h), and repaired (archive/check.h). Where a post is
-- derived from is said by places (article.lua, comment.lua), as for all other functions.

do
local require_keys, encode_id = import('require_keys', 'encode_id')
local split_key, split_list_key = import('split_key', 'split_list_key')
local queue_key, versions_key = import('queue_key', 'versions_key')
local inbox_key, all_member_keys = import('inbox_key', 'all_member_keys')
local kinds, flags_of = import('kinds', 'flags_of')
local fields_by_name = import('fields_by_name')
local register_change, bump_version = import('register_change', 'bump_version')
local move_to_lists = import('move_to_lists')
local update_queue, log_list_keys = import('update_queue', 'log_list_keys')
local thread_place, removal_state = import('thread_place', 'removal_state')
local write_state, trim_newest = import('write_state', 'trim_newest')
local record_bit, leave_layout_4 = import('record_bit', 'leave_layout_4')
local count_votes, expiry_differs = import('count_votes', 'expiry_differs')
local count_records, misplaced = import('count_records', 'misplaced')
local thread_key = import('thread_key')
local karma_audit, audit_karma = import('karma_audit', 'audit_karma')

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

-- The counts of the article's comments, from its thread.
kinds.article.refresh = function(article)
	local stored = redis.call('HMGET', article.key, 'commented', 'comments')
	local last, shown = count_records(thread_key(article.tag, article.id))
	if tonumber(stored[1] or 0) == last and tonumber(stored[2] or 0) == shown then
		return 0
	end
	redis.call('HSET', article.key, 'commented', string.format('%d', last),
		'comments', string.format('%d', shown))
	return 1
end

-- The state in its record.
kinds.comment.refresh = function(comment)
	local place = thread_place(comment)
	leave_layout_4(comment, place.thread, record_bit(place, 'days'))
	if comment.state == removal_state(comment) then
		return 0
	end
	write_state(comment, place)
	return 1
end

-- refresh_post_1 post | vote_score
-- Refreshes an article or a comment: its counts, lists and place in the queue. Returns "ok",
-- and the number of an article's last comment.
register_change('refresh_post_1', function(post, args)
	require_keys(post.key, post.voters, post.versions, flags_of(post),
		queue_key(post.tag), thread_key(post.tag, (string.match(post.id, '^%d+'))),
		unpack(post.kind.list_keys(post)))
	if post.kind == kinds.comment and post.posted == 0 then
		return { 'absent' }
	end
	local changes = refresh_votes(post) + post.kind.refresh(post) +
		move_to_lists(post, args[1])
	if post.kind == kinds.comment then
		trim_newest(post)
	end
	update_queue(post)
	if changes > 0 then
		bump_version(post, 'lists')
		bump_version(post, 'edits')
	end
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
	local lists = log_list_keys(tag, action)
	require_keys(keys[1], unpack(lists))
	for _, list in ipairs(lists) do
		redis.call('ZADD', list, action.at, encode_id(id))
	end
	return 'ok'
end)

-- refresh_member_1 user | max
-- Refreshes what a member has in the member's slot: the counts of notifications, and at most
-- max of these; a closed account has none.
redis.register_function('refresh_member_1', function(keys, args)
	local inbox, others = inbox_key(keys[1]), all_member_keys(keys[1])
	require_keys(keys[1], unpack(others))
	local v = redis.call('HMGET', keys[1], 'name', 'closed', 'told', 'read')
	if not v[1] then
		return 'absent'
	elseif v[2] then
		redis.call('DEL', unpack(others))
		return 'ok'
	end
	local newest = redis.call('ZRANGE', inbox, '-1', '-1', 'WITHSCORES')[2] or 0
	local told, read = tonumber(v[3] or 0), tonumber(v[4] or 0)
	if told and newest - told > 0 then
		told = tonumber(newest)
		redis.call('HSET', keys[1], 'told', newest)
	end
	if told and read and read > told then
		redis.call('HSET', keys[1], 'read', string.format('%d', told))
	end
	redis.call('ZREMRANGEBYRANK', inbox, '0', string.format('%d', -args[1] - 1))
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
	end
	return answer
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
end
