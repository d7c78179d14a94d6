-- Flags, and the queue of what moderators have to look at: a post stands in it while
-- one of its flags was not dismissed, by the moment of the first of these.

do
local all_here, member_of = import('all_here', 'member_of')
local flags_of, queue_of = import('flags_of', 'queue_of')
local flaggers_of = import('flaggers_of')
local now, by_name = import('now', 'by_name')
local register_change, set_ruling = import('register_change', 'set_ruling')
local keys_of_act, note_act = import('keys_of_act', 'note_act')

-- What a flag's value ends in once it was.
local dismissed = ' dismissed'

local function is_open(flag)
	return string.sub(flag, -#dismissed) ~= dismissed
end

-- How long flags are kept once all of them were dismissed, in seconds; one that is open
-- stays as long as nobody looks at it.
local flags_kept, forever = '2592000', '253402300799'

local function add_flag(post, user, reason)
	local moment = now()
	redis.call('HSET', flags_of(post), user, reason .. ' ' .. moment)
	redis.call('EXPIREAT', flags_of(post), forever, 'XX')
	redis.call('ZADD', queue_of(post.tag), 'NX', moment, member_of(post.id))
end

-- Whatever was flagged has been looked at.
local function settle_flags(post)
	local flags = redis.call('HGETALL', flags_of(post))
	for i = 1, #flags, 2 do
		if is_open(flags[i + 1]) then
			redis.call('HSET', flags_of(post), flags[i],
				flags[i + 1] .. dismissed)
		end
	end
	redis.call('ZREM', queue_of(post.tag), member_of(post.id))
end

-- What was dismissed was another text: whoever flagged it may flag this one.
local function forget_dismissed(post)
	local flags = redis.call('HGETALL', flags_of(post))
	for i = 1, #flags, 2 do
		if not is_open(flags[i + 1]) then
			redis.call('HDEL', flags_of(post), flags[i])
		end
	end
end

-- The moment of the first that is open, if any is.
local function first_flag(post)
	local first
	for _, flag in ipairs(redis.call('HVALS', flags_of(post))) do
		local moment = string.match(flag, '%d+')
		if is_open(flag) and (not first or moment - first < 0) then
			first = moment
		end
	end
	return first
end

-- After they have changed.
local function renew_queue(post)
	local first = first_flag(post)
	if first then
		redis.call('ZADD', queue_of(post.tag), first, member_of(post.id))
	else
		redis.call('ZREM', queue_of(post.tag), member_of(post.id))
	end
end

-- Members who flagged posts of a thread of late, for functions that slow it down: each
-- counts once, however often they flag and take it back.
local function flaggers_of_post(post)
	return flaggers_of(post.tag, (string.match(post.id, '^%d+')))
end

local function note_flagger(post, user)
	redis.call('SADD', flaggers_of_post(post), user)
	redis.call('EXPIRE', flaggers_of_post(post), '3600', 'NX')
end

-- flag_1 post | user reason
-- Flags it, once: another reason takes the place of the first, and "none" takes it
-- back. What was dismissed stays so, whatever it says then. Not by its author: "own".
register_change('flag_1', function(post, args)
	local user, reason = args[1], args[2]
	if post.removed then
		return 'removed'
	elseif user == post.author then
		return 'own'
	end
	local flags = flags_of(post)
	all_here(flags, queue_of(post.tag), flaggers_of_post(post))
	local flag = redis.call('HGET', flags, user)
	if flag and (reason ~= 'none' or not is_open(flag)) then
		redis.call('HSET', flags, user,
			(string.gsub(flag, '^%S+', reason)))
	elseif flag then
		redis.call('HDEL', flags, user)
		renew_queue(post)
	elseif reason ~= 'none' then
		add_flag(post, user, reason)
		note_flagger(post, user)
	end
	return 'ok'
end)

-- dismiss_1 post | buckets name value...
-- What was flagged may stay; the names and values are those of the act.
register_change('dismiss_1', function(post, args)
	if post.removed then
		return 'removed'
	end
	local keys = keys_of_act(post.tag, args, 2)
	keys[#keys + 1], keys[#keys + 2] = flags_of(post), queue_of(post.tag)
	all_here(post.key, unpack(keys))
	if redis.call('ZSCORE', queue_of(post.tag), member_of(post.id)) then
		settle_flags(post)
		redis.call('EXPIRE', flags_of(post), flags_kept)
		set_ruling(post, by_name(args, 2).reason)
		note_act(post.tag, args[1], args, 2)
	end
	return 'ok'
end)

tally.add_flag, tally.settle_flags = add_flag, settle_flags
tally.forget_dismissed, tally.first_flag = forget_dismissed, first_flag
tally.renew_queue = renew_queue
end
