do
local all_here = import('all_here')
local register_change, add_karma = import('register_change', 'add_karma')
local keys_of_act, note_act = import('keys_of_act', 'note_act')

local signs = { up = 1, none = 0, down = -1 }
local steps = { [-2] = '-2', [-1] = '-1', [1] = '1', [2] = '2' }

-- Brings the counts from one state of a vote to another: the names and values of those
-- that change.
local function count(post, was, is)
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

-- What changes when a vote does.
local function keys_of_vote(post, ranks)
	all_here(post.voters, post.karma, post.versions, unpack(ranks))
end

-- vote_3 post | user state vote_score interesting voided
-- Brings the member's vote to 'up', 'down' or 'none'. Asking for the state that
-- is there changes nothing. The author's vote was cast with the post and stays:
-- 'own'. Votes count while who voted is recorded: once the record has expired it
-- is gone for ever, whatever the clock says then. A member whose vote was voided is
-- recorded under another number, and votes no more: 'voided'.
register_change('vote_3', function(post, args)
	local user, is = args[1], signs[args[2]]
	local against = '-' .. user
	if post.removed then
		return 'removed'
	elseif user == post.author then
		return 'own'
	end
	local ranks = post.kind.ranks(post)
	keys_of_vote(post, ranks)
	local there = redis.call('SMISMEMBER', post.voters, '0', user, against,
		args[5], '-' .. args[5])
	local was = there[2] - there[3]
	if not post.kind.stands(post) then
		return 'removed'
	elseif there[1] == 0 then
		return 'closed'
	elseif there[4] + there[5] > 0 then
		return 'voided'
	elseif was == is then
		return 'ok'
	end
	local counts = count(post, was, is)
	post.kind.ask_crossed(post, args[4])
	if was ~= 0 then
		redis.call('SREM', post.voters, was == 1 and user or against)
	end
	if is ~= 0 then
		redis.call('SADD', post.voters, is == 1 and user or against)
	end
	add_karma(post, steps[is - was])
	post.kind.moved(post, counts, ranks, args[3], args[4])
	return 'ok'
end)

-- Which way a number stands in the record of who voted: 1, -1, or 0 for not at all.
local function way_of(post, number)
	local there = redis.call('SMISMEMBER', post.voters, number, '-' .. number)
	return there[1] - there[2]
end

-- void_1 post | user voided wanted vote_score interesting buckets name value...
-- Takes a member's vote back for good ('void'), or counts it again ('count'). One that
-- is so already stays as it is; 'absent' when there is none. The names and values are
-- those of the act.
register_change('void_1', function(post, args)
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
	local ranks = post.kind.ranks(post)
	keys_of_vote(post, ranks)
	all_here(post.key, unpack(keys_of_act(post.tag, args, 7)))
	local sign = way_of(post, from)
	if redis.call('EXISTS', post.voters) == 0 then
		return 'closed'
	elseif sign == 0 then
		return way_of(post, to) ~= 0 and 'ok' or 'absent'
	end
	local was, is = voids and sign or 0, voids and 0 or sign
	local counts = count(post, was, is)
	post.kind.ask_crossed(post, args[5])
	local prefix = sign == 1 and '' or '-'
	redis.call('SREM', post.voters, prefix .. from)
	redis.call('SADD', post.voters, prefix .. to)
	add_karma(post, steps[is - was])
	post.kind.moved(post, counts, ranks, args[4], args[5])
	note_act(post.tag, args[6], args, 7)
	return 'ok'
end)
end
