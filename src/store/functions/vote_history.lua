-- The history of members' votes. An entry's score is the moment times 8, and what the vote is:
-- 0 none, 1 up, 2 down; 4 is added to one that is voided (store/vote_history.c).

do
local votes_key = import('votes_key')
local is_open_account = import('is_open_account')
local register_posts_check = import('register_posts_check')

-- The history has the newest max entries.
local function trim_votes(votes, max)
	redis.call('ZREMRANGEBYRANK', votes, '0', string.format('%d', -max - 1))
end

-- withdraw_vote_1 user | post score former
-- Restores the former entry, if any, unless the entry has another score by now.
redis.register_function('withdraw_vote_1', function(keys, args)
	local votes = votes_key(keys[1])
	if not is_open_account(keys[1], votes) then
		return 'absent'
	end
	if redis.call('ZSCORE', votes, args[1]) ~= args[2] then
		return 'ok'
	end
	if args[3] == '' then
		redis.call('ZREM', votes, args[1])
	else
		redis.call('ZADD', votes, args[3], args[1])
	end
	return 'ok'
end)

-- load_vote_1 user | post score max
-- Adds an entry from a dump: "taken" when there is one of the post, when max others are newer, or
-- when the account is closed.
redis.register_function('load_vote_1', function(keys, args)
	local votes = votes_key(keys[1])
	if redis.call('HEXISTS', keys[1], 'name') == 0 then
		return { 'absent' }
	elseif not is_open_account(keys[1], votes) or
		redis.call('ZSCORE', votes, args[1]) then
		return { 'taken' }
	end
	redis.call('ZADD', votes, args[2], args[1])
	trim_votes(votes, args[3])
	return { redis.call('ZSCORE', votes, args[1]) and 'ok' or 'taken' }
end)

-- check_votes_1 user | start end
register_posts_check('check_votes_1', votes_key)
end
