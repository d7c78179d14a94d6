do
local require_keys = import('require_keys')
local read_fields = import('read_fields')
local register_change, add_karma = import('register_change', 'add_karma')
local mod_action_keys = import('mod_action_keys')
local note_mod_action = import('note_mod_action')
local revoked_key, note_decision = import('revoked_key', 'note_decision')

local signs = { up = 1, none = 0, down = -1 }
local steps = { [-2] = '-2', [-1] = '-1', [1] = '1', [2] = '2' }

-- Changes the counts for a vote that was one sign and is another; returns the names and
-- values of those that change.
local function change_counts(post, was, is)
	local ups, downs = was == 1 or is == 1, was == -1 or is == -1
	if ups then
		post.up = string.format('%d', post.up + (is == 1 and 1 or -1))
	end
	if downs then
		post.down = string.format('%d', post.down + (is == -1 and 1 or -1))
	end
	if ups and downs then
		return { 'up', post.up, 'down', post.down }
	end
	return ups and { 'up', post.up } or { 'down', post.down }
end

-- Requires all keys that a vote writes, in one command.
local function require_vote_keys(post, lists)
	require_keys(post.voters, post.karma, post.versions, post.backing,
		unpack(lists))
end

-- Counts upvotes of members who are no newcomers, for the post's author (store/newcomer.h). One
-- that is taken back was not counted if its member was a newcomer then, so the count may end
-- below zero, where it stays zero.
local function count_backing(post, was, is)
	if was == 1 or is == 1 then
		local count = redis.call('HINCRBY', post.backing, post.author,
			is == 1 and '1' or '-1')
		if count < 0 then
			redis.call('HDEL', post.backing, post.author)
		end
	end
end

local voted_fields = { 'author', 'posted', 'up', 'down', 'groups', 'interesting',
	'removed', 'scores' }

-- vote_3 post | user state vote_score interesting voided [settled]
-- Sets the member's vote to 'up', 'down' or 'none'; does nothing if that is its state.
-- 'own' for the author, whose upvote was cast with the post and stays. The voting window
-- ends when the set of voters expires: from then on the reply is 'closed', even if the
-- clock is set back. A voided vote is recorded under the number voided; its member cannot
-- vote on the post: 'voided'. settled is "1" for a member who is no newcomer.
redis.register_function('vote_3', function(keys, args)
	local post = read_fields(keys[1], voted_fields)
	local user, is = args[1], signs[args[2]]
	local against = '-' .. user
	if not post then
		return 'absent'
	elseif post.removed then
		return redis.call('HEXISTS', post.key, 'held') == 1 and 'absent' or
			'removed'
	end
	post.kind.read_record(post)
	if user == post.author then
		return 'own'
	end
	local lists = post.kind.vote_keys(post)
	require_vote_keys(post, lists)
	local there = redis.call('SMISMEMBER', post.voters, '0', user, against,
		args[5], '-' .. args[5])
	local was = there[2] - there[3]
	if not post.kind.is_reachable(post) then
		return 'removed'
	elseif there[1] == 0 then
		return 'closed'
	elseif there[4] + there[5] > 0 then
		return 'voided'
	elseif was == is then
		return 'ok'
	end
	local counts = change_counts(post, was, is)
	post.kind.require_threshold_keys(post, args[4])
	if was ~= 0 then
		redis.call('SREM', post.voters, was == 1 and user or against)
	end
	if is ~= 0 then
		redis.call('SADD', post.voters, is == 1 and user or against)
	end
	add_karma(post, steps[is - was])
	if args[6] == '1' then
		count_backing(post, was, is)
	end
	post.kind.write_counts(post, counts, args[3], args[4], lists)
	return 'ok'
end)

-- The vote that is recorded under a number: 1, -1, or 0 for none.
local function recorded_vote(post, number)
	local there = redis.call('SMISMEMBER', post.voters, number, '-' .. number)
	return there[1] - there[2]
end

-- Cancels a member's vote permanently ('void'), or counts it again ('count'): 'ok' also when
-- that is its state, 'absent' when there is no vote. args begins with user, voided, wanted,
-- vote_score and interesting; keys are others that note writes, which is called after a change.
local function change_voiding(post, args, keys, note)
	local from, to = args[1], args[2]
	local voids = args[3] == 'void'
	if not voids then
		from, to = to, from
	end
	if post.removed then
		return 'removed'
	elseif args[1] == post.author then
		return 'own'
	end
	local lists = post.kind.vote_keys(post)
	require_vote_keys(post, lists)
	require_keys(post.key, unpack(keys))
	local sign = recorded_vote(post, from)
	if redis.call('EXISTS', post.voters) == 0 then
		return 'closed'
	elseif sign == 0 then
		return recorded_vote(post, to) ~= 0 and 'ok' or 'absent'
	end
	local was, is = voids and sign or 0, voids and 0 or sign
	local counts = change_counts(post, was, is)
	post.kind.require_threshold_keys(post, args[5])
	local prefix = sign == 1 and '' or '-'
	redis.call('SREM', post.voters, prefix .. from)
	redis.call('SADD', post.voters, prefix .. to)
	add_karma(post, steps[is - was])
	post.kind.write_counts(post, counts, args[4], args[5], lists)
	note()
	return 'ok'
end

-- void_1 post | user voided wanted vote_score interesting buckets name value...
-- Does so for one vote. The names and values are those of the moderator's action.
register_change('void_1', function(post, args)
	local list = revoked_key(post.tag, '@' .. args[1])
	local keys = mod_action_keys(post.tag, args, 7)
	keys[#keys + 1] = list
	return change_voiding(post, args, keys, function()
		note_decision(post, list)
		note_mod_action(post.tag, args[6], args, 7)
	end)
end)

tally.change_voiding = change_voiding
end
