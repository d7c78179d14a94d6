-- Checks of invariants, in steps while the site runs (archive/check.h). A break is a
-- sentence. Each is found from one side only: a missing entry from the post, an extra entry
-- from the list.

do
local register_reader, require_keys = import('register_reader', 'require_keys')
local split_key, post_key = import('split_key', 'post_key')
local encode_id, split_list_key = import('encode_id', 'split_list_key')
local flags_key, queue_key = import('flags_key', 'queue_key')
local thread_key, voters_key = import('thread_key', 'voters_key')
local author_comments_key, log_key = import('author_comments_key', 'log_key')
local comments_key, removed_key = import('comments_key', 'removed_key')
local comment_id, is_list_of = import('comment_id', 'is_list_of')
local contained_key, revoked_key = import('contained_key', 'revoked_key')
local author_articles_key = import('author_articles_key')
local decode_id, mod_action_key = import('decode_id', 'mod_action_key')
local words, fields_by_name, kinds = import('words', 'fields_by_name', 'kinds')
local admitted = import('admitted')
local read_post, flags_of = import('read_post', 'flags_of')
local attempt, is_waiting = import('attempt', 'is_waiting')
local has_points, is_open, is_passed = import('has_points', 'is_open', 'is_passed')
local require_post, versions_key = import('require_post', 'versions_key')
local karma_audit, now = import('karma_audit', 'now')
local containments_key = import('containments_key')
local log_list_keys = import('log_list_keys')
local first_open_flag = import('first_open_flag')
local thread_place, removal_state = import('thread_place', 'removal_state')
local trimmed_until = import('trimmed_until')
local scores_of_bucket, active_key = import('scores_of_bucket', 'active_key')

local function new_breaks()
	local breaks = {}
	return breaks, function(...)
		breaks[#breaks + 1] = string.format(...)
	end
end

local function read(...)
	return attempt(redis.call, ...)
end

-- Programs read numbers of up to 15 digits.
local function is_number(value)
	return #value <= 15 and string.find(value, '^%d+$') ~= nil
end

local is_valid = {
	text = function()
		return true
	end,
	number = is_number,
	member = function(value)
		return is_number(string.match(value, '^(%d+) ') or '')
	end,
}

-- Checks fields without which functions fail. args alternates names, from the schema, and
-- kinds of values (is_valid), "sparse" when they may be missing, and "link" when an article
-- without a link lacks them.
local function check_fields(key, args, note)
	local whole = true
	for i = 2, #args, 2 do
		local value = redis.call('HGET', key, args[i])
		local kind = string.match(args[i + 1], '%l+$')
		local is_sparse = string.find(args[i + 1], '^sparse ') or
			string.find(args[i + 1], '^link ') and
			redis.call('HEXISTS', key, 'url') == 0
		if value and not is_valid[kind](value) or
			not value and not is_sparse then
			note('its field "%s" is "%s"', args[i], value or '')
			whole = false
		end
	end
	return whole
end

-- Parses an entry of a set of voters: 1, -1, or 0 for a voided vote and for the entry 0; and
-- the member. The number of a voided vote has thirteen digits. nil when it is none of these.
local function parse_voter(voter)
	local against, number = string.match(voter, '^(%-?)(%d+)$')
	if not number or #number > 13 then
		return nil
	end
	local void = string.match(number, '^%d0*(%d+)$')
	if number == '0' or #number == 13 then
		return 0, void or number
	end
	return against == '' and 1 or -1, number
end

-- Counts the voters who voted up, down, and both ways, and what is no vote.
local function count_votes(voters)
	local up, down, both, strange, seen = 0, 0, 0, 0, {}
	for _, voter in ipairs(voters) do
		local way, member = parse_voter(voter)
		if way == 1 then
			up = up + 1
		elseif way == -1 then
			down = down + 1
		end
		if not way then
			strange = strange + 1
		elseif seen[member] then
			both = both + 1
		else
			seen[member] = true
		end
	end
	return up, down, both, strange
end

-- A key that is moved to another node has the same remaining time there, while the clocks
-- may differ: a difference of so many milliseconds is no break.
local drift = 5000

-- The set of voters is to expire when voting closes: its expiry ends voting.
local function expiry_differs(post)
	return math.abs(redis.call('PEXPIRETIME', post.voters) -
		(post.closes * 1000 - 1)) > drift
end

-- Checks the record of voters. Returns 1 when there is one.
local function check_voters(post, note)
	local voters = read('SMEMBERS', post.voters) or {}
	if #voters == 0 then
		return 0
	end
	if redis.call('SISMEMBER', post.voters, '0') == 0 then
		note('the record of who voted has no 0')
	end
	local up, down, both, strange = count_votes(voters)
	if strange > 0 then
		note('%d entries in the record of who voted are no votes', strange)
	end
	if post.up - up ~= 0 then
		note('up is %s, and the record has %d', post.up, up)
	end
	if post.down - down ~= 0 then
		note('down is %s, and the record has %d', post.down, down)
	end
	if both > 0 then
		note('%d voted both up and down', both)
	end
	if expiry_differs(post) then
		note('who voted is kept until %.0f ms, and voting closes at %s',
			redis.call('PEXPIRETIME', post.voters), post.closes)
	end
	return 1
end

local function check_list_entry(list, member, wanted, note)
	local there = read('ZSCORE', list, member)
	if not there then
		note('it is not in %s', list)
	elseif there - wanted ~= 0 then
		note('it is in %s at %s and not at %s', list, there, wanted)
	end
end

-- The newest comments lack those up to the last that was trimmed.
local function may_lack(list, post)
	return list == comments_key(post.tag) and
		post.posted - trimmed_until(post) <= 0
end

-- Whether a list is one that layout 4 does not have, and the move fills.
local function is_new_list(list)
	return is_list_of(list, active_key)
end

-- Where a post is (post.lua); nil where that cannot be found out.
local function places_of(post, vote_score)
	return unpack(post and post.author and attempt(function()
		return { post.kind.places(post, vote_score) }
	end) or {})
end

-- Checks every list that must have the post.
local function check_places(post, vote_score, is_moved, note)
	local lists, scores = places_of(post, vote_score)
	for i = 1, #(lists or {}) do
		if scores[i] and not may_lack(lists[i], post) and
			(is_moved or not is_new_list(lists[i])) then
			check_list_entry(lists[i], post.member, scores[i],
				note)
		end
	end
end

-- While the bucket's lists change, articles after the last one that was placed have the former
-- ones, or those.
local function check_scores(article, note)
	local scores, last = scores_of_bucket(article.versions)
	if article.scores ~= scores and (not last or article.id - last <= 0) then
		note('its lists by score are "%s", and its bucket has "%s"',
			article.scores or '', scores or '')
	end
end

-- That its publisher is at the end of its link's host. Which one it is to be follows from a list
-- that functions do not have.
local function check_publisher(article, note)
	local url = redis.call('HGET', article.key, 'url') or ''
	local host = string.match(article.from or '', '^[^/]*')
	local linked = string.match(string.lower(url), '^%l+://([^/?#]*)') or ''
	linked = '.' .. string.match((string.gsub(linked, ':%d*$', '')), '^(.-)%.*$')
	if article.from and string.sub(linked, -#host - 1) ~= '.' .. host then
		note('it is from "%s", and its link is "%s"', article.from, url)
	end
end

-- While voting on it is open, its points are not final.
local function check_placing(article, note)
	if not article.removed and has_points(article) and is_open(article) and
		is_passed(article) then
		note('it is open, and its bucket has placed later ones by points')
	end
end

kinds.article.check_groups = function(article, note)
	check_scores(article, note)
	check_publisher(article, note)
	check_placing(article, note)
	local seen = {}
	for _, group in ipairs(words(article.groups)) do
		if seen[group] then
			note('it names %s twice', group)
		end
		seen[group] = true
	end
	if admitted(article, article.groups) ~= article.groups then
		note('it is in a group that it was taken out of')
	end
end

kinds.comment.check_groups = function()
end

-- Compares a comment's record with its hash.
local function check_state(comment, note)
	if comment.posted == 0 then
		note('its thread has no record of it')
	elseif comment.state ~= removal_state(comment) then
		note('its thread has %d as its state, and not %d', comment.state,
			removal_state(comment))
	end
end

-- Checks that the parent exists and is older.
local function check_parent(comment, place, note)
	local parent = string.format('%d', comment.parent)
	local above = post_key(comment.tag, comment_id(place.id, parent))
	if parent == '0' then
		return
	elseif parent - place.number >= 0 then
		note('it answers %s, which is not older', parent)
	elseif redis.call('EXISTS', comment.key, above) < 2 then
		note('it answers %s, which does not exist', parent)
	end
end

-- The last number in a thread, and the number of comments that are not removed.
local function count_records(thread)
	local index, last, shown = read('GET', thread) or '', 0, 0
	for at = 17, #index - 7, 16 do
		local _, state, posted = struct.unpack('>I3BI4', index, at)
		if posted > 0 then
			last = (at - 1) / 16
			shown = shown + (state % 4 == 0 and 1 or 0)
		end
	end
	return last, shown
end

kinds.article.check_thread = function(article, note)
	local counted = redis.call('HMGET', article.key, 'commented', 'comments',
		'reserved')
	local last, shown = count_records(thread_key(article.tag, article.id))
	if tonumber(counted[1] or 0) ~= last then
		note('its last comment is %s, and its thread has %d',
			counted[1] or '0', last)
	end
	if tonumber(counted[2] or 0) ~= shown then
		note('it has %s comments, and its thread has %d',
			counted[2] or '0', shown)
	end
	if counted[3] and not is_number(counted[3]) then
		note('its field "reserved" is "%s"', counted[3])
	end
end

-- Also of a removed one.
kinds.comment.check_thread = function(comment, note)
	local place = thread_place(comment)
	if redis.call('EXISTS', place.article) == 0 then
		note('its article does not exist')
	end
	check_parent(comment, place, note)
	check_state(comment, note)
end

-- Finds the first flag of another form than flag.lua gives them.
local function check_flag_values(post, note)
	local flags = read('HGETALL', flags_of(post)) or {}
	for i = 1, #flags, 2 do
		local moment, rest = string.match(flags[i + 1], '^[%l-]+ (%d+)(.*)$')
		if not is_number(flags[i]) or not is_number(moment or '') or
			rest ~= '' and rest ~= ' dismissed' then
			return note('the flag of member "%s" is "%s"', flags[i],
				flags[i + 1])
		end
	end
end

-- Checks that the queue has the post while a flag is open.
local function check_flags(post, note)
	check_flag_values(post, note)
	local first = attempt(first_open_flag, post)
	if first and (not post.removed or is_waiting(post)) then
		check_list_entry(queue_key(post.tag), post.member, first, note)
	end
end

-- A post that was never shown is removed, and nobody can vote on it.
local function check_held(post, note)
	if post.held and not post.removed then
		note('it was never shown, and is not removed')
	end
	if post.held and read('EXISTS', post.voters) == 1 then
		note('it was never shown, and has a record of who voted')
	end
end

-- Checks a post, whose places may be those that the layout before had.
-- Returns author, up, down, voters_known, removed and interesting, the last three 1 or 0;
-- and then the breaks. Empty when there is no such post. The author is 0 when the hash
-- cannot be read.
local function check_post(key, args, is_moved)
	if redis.call('EXISTS', key) == 0 then
		return {}
	end
	local breaks, note = new_breaks()
	local post = check_fields(key, args, note) and attempt(read_post, key)
	if not post then
		return { 0, 0, 0, 0, 0, 0, unpack(breaks) }
	end
	require_post(post)
	local known = check_voters(post, note)
	post.kind.check_thread(post, note)
	post.kind.check_groups(post, note)
	check_places(post, args[1], is_moved, note)
	check_flags(post, note)
	check_held(post, note)
	return { post.author, post.up, post.down, known, post.removed and 1 or 0,
		post.interesting and 1 or 0, unpack(breaks) }
end

-- check_5 post | vote_score name kind...
register_reader('check_5', function(keys, args)
	return check_post(keys[1], args, true)
end)

-- check_6 post | vote_score is_moved name kind...
register_reader('check_6', function(keys, args)
	local is_moved = table.remove(args, 2) == '1'
	return check_post(keys[1], args, is_moved)
end)

-- Checks a moderator's action; known are the words of what moderators do, "" for any.
local function check_action(key, known, args, note)
	local tag, _, id = split_key(key)
	if redis.call('EXISTS', key) == 0 or
		not check_fields(key, { '', unpack(args) }, note) then
		return
	end
	local action = fields_by_name(redis.call('HGETALL', key), 1)
	if known ~= '' and not string.find(' ' .. known .. ' ',
		' ' .. action.what .. ' ', 1, true) then
		note('"%s" is nothing that moderators do', action.what)
	end
	require_keys(key, unpack(log_list_keys(tag, action)))
	for _, list in ipairs(log_list_keys(tag, action)) do
		check_list_entry(list, encode_id(id), action.at, note)
	end
end

-- check_act_2 action | known name kind...
-- Returns the breaks of a moderator's action; empty when there is no such action.
register_reader('check_act_2', function(keys, args)
	local breaks, note = new_breaks()
	check_action(keys[1], table.remove(args, 1), args, note)
	return breaks
end)

-- check_act_1 action | name kind...
-- The same for the last release.
register_reader('check_act_1', function(keys, args)
	local breaks, note = new_breaks()
	check_action(keys[1], '', args, note)
	return breaks
end)

-- The words of a containment, and for how long one may be taken back.
local states = { acting = true, done = true, undoing = true, undone = true }
local votes_wanted = { [''] = true, void = true, count = true }
local containment_seconds = 86400
-- The set of them names one that has expired until the relay reads it.
local containment_grace = 3600

-- Checks that the set of containments may name one whose record is gone.
local function check_expired(entry, note)
	local age = now() - (tonumber(read('HGET', entry, 'at') or '') or 0)
	if age < containment_seconds - 60 then
		note('it does not exist, and could still be taken back')
	elseif age > containment_seconds + containment_grace then
		note('it has expired, and is among those that may be taken back')
	end
end

local function check_words_of_containment(key, tag, note)
	local record = fields_by_name(redis.call('HGETALL', key), 1)
	local state, votes = record.state or '', record.votes or ''
	local undo = mod_action_key(tag, record.undo or '')
	require_keys(key, undo)
	if not states[state] or not votes_wanted[votes] then
		note('its state is "%s", and its votes are "%s"', state, votes)
		return false
	elseif string.find(state, '^und') and redis.call('EXISTS', undo) == 0 then
		note('act %s, which takes it back, is not in the log',
			record.undo or '')
	end
	return true
end

-- Checks a containment, of which the set may know after it has expired. Returns whether it is whole.
local function check_containment(key, args, note)
	local tag, _, act = split_key(key)
	local open, entry = containments_key(tag), mod_action_key(tag, act)
	require_keys(key, open, entry)
	local is_listed = read('SISMEMBER', open, act) == 1
	if redis.call('EXISTS', key) == 0 then
		return is_listed and check_expired(entry, note)
	end
	local whole = check_fields(key, { '', unpack(args) }, note) and
		check_words_of_containment(key, tag, note)
	if redis.call('EXISTS', entry) == 0 then
		note('it is not in the log')
	end
	if whole and not is_listed then
		note('it is not among those that may be taken back')
	end
	if redis.call('TTL', key) == -1 then
		note('it does not expire')
	end
	return whole
end

-- check_containment_1 containment | name kind...
-- Returns the breaks of a containment that exists, or that the set of them names.
register_reader('check_containment_1', function(keys, args)
	local breaks, note = new_breaks()
	check_containment(keys[1], args, note)
	return breaks
end)

-- The reason why an action does not belong in a log; nil when it does.
local function misplaced_mod_action(tag, list, id)
	local key = mod_action_key(tag, id)
	require_keys(key, list)
	local action = fields_by_name(read('HGETALL', key) or {}, 1)
	if not action.what then
		return 'does not exist'
	end
	for _, place in ipairs(log_list_keys(tag, action)) do
		if place == list then
			return nil
		end
	end
	return 'does not belong there'
end

-- The same of a post, and nil where the post cannot be read, which is reported of the post.
local function misplaced_post(tag, list, id)
	local key = post_key(tag, id)
	require_keys(key, list, versions_key(tag), voters_key(tag, id),
		thread_key(tag, (string.match(id, '^%d+'))),
		list == queue_key(tag) and flags_key(tag, id) or key)
	local post = attempt(read_post, key)
	if not post and not read('HGET', key, 'author') then
		return 'does not exist'
	end
	-- What acts on a member have changed is there, whatever it is now.
	if is_list_of(list, contained_key) then
		return post and post.author and
			list ~= contained_key(tag, '@' .. post.author) and
			'does not belong there' or nil
	elseif is_list_of(list, revoked_key) then
		return nil
	end
	local lists, scores = places_of(post)
	if not lists then
		return nil
	elseif list == queue_key(tag) then
		return post.removed and not is_waiting(post) and 'is removed' or
			not attempt(first_open_flag, post) and
			'has no flag to look at' or nil
	end
	for i = 1, #lists do
		if lists[i] == list and scores[i] ~= false then
			return nil
		end
	end
	return post.removed and not is_list_of(list, removed_key) and 'is removed' or
		'does not belong there'
end

-- "article" or "comment".
local function post_word(id)
	return id and string.find(id, ':', 1, true) and 'comment' or 'article'
end

-- Continues a scan of a sorted set at a cursor: the answer of belongs_1, and the members that
-- do not belong in the set.
local function misplaced(key, cursor)
	local tag, is_log = split_list_key(key), is_list_of(key, log_key)
	local breaks, note = new_breaks()
	local members = {}
	local step = redis.call('ZSCAN', key, cursor, 'COUNT', 50)
	for i = 1, #step[2], 2 do
		local id, why = decode_id(step[2][i]), 'is no id'
		if id and is_log then
			why = misplaced_mod_action(tag, key, id)
		elseif id then
			why = misplaced_post(tag, key, id)
		end
		if why then
			note('%s %s %s', is_log and 'act' or post_word(id),
				id or step[2][i], why)
			members[#members + 1] = step[2][i]
		end
	end
	return { step[1], #step[2] / 2, unpack(breaks) }, members
end

-- belongs_1 list | cursor
-- Continues a scan of a sorted set at the cursor. Returns the next cursor, the number of
-- members that were checked, and the breaks.
register_reader('belongs_1', function(keys, args)
	return (misplaced(keys[1], args[1]))
end)

-- records_1 thread | number
-- Continues a scan of a thread's records at a comment's number. Returns the next number, or
-- 0 at the end; the number of records that were checked; and the breaks.
register_reader('records_1', function(keys, args)
	local tag, _, article = split_key(keys[1])
	local first, step = math.max(tonumber(args[1]), 1), 50
	local breaks, note = new_breaks()
	require_keys(keys[1], post_key(tag, article))
	if redis.call('EXISTS', post_key(tag, article)) == 0 then
		note('article %s does not exist', article)
	end
	local index = redis.call('GETRANGE', keys[1], first * 16,
		(first + step) * 16 - 1)
	for at = 1, #index - 7, 16 do
		local _, _, posted = struct.unpack('>I3BI4', index, at)
		local id = comment_id(article, string.format('%d', first + (at - 1) / 16))
		if posted > 0 and redis.call('EXISTS', keys[1], post_key(tag, id)) < 2 then
			note('comment %s does not exist', id)
		end
	end
	local next = #index == step * 16 and first + step or 0
	return { string.format('%d', next), math.floor(#index / 16),
		unpack(breaks) }
end)

-- Adds a post to the audit, if it is the author's.
local function audit_post(tag, author, id)
	local key = post_key(tag, id)
	require_keys(karma_audit.karma, key)
	local post = not karma_audit.counted[id] and attempt(read_post, key)
	if post and post.author == author then
		karma_audit.counted[id] = true
		karma_audit.sum = karma_audit.sum + (tonumber(post.up) or 0) -
			(tonumber(post.down) or 0) - 1
	end
end

-- Implements karma_4.
local function audit_karma(stored, args)
	local tag, author = split_list_key(stored), args[2]
	local lists = { author_articles_key(tag, author),
		author_comments_key(tag, author) }
	require_keys(stored, unpack(lists))
	if karma_audit.token ~= args[1] then
		karma_audit.token, karma_audit.karma = args[1], stored
		karma_audit.counted, karma_audit.sum, karma_audit.calls = {}, 0, 0
	end
	karma_audit.calls = karma_audit.calls + 1
	for i = 5, #args do
		audit_post(tag, author, args[i])
	end
	for _, list in ipairs(lists) do
		for _, member in ipairs(read('ZREVRANGEBYSCORE', list, '+inf', args[3],
			'LIMIT', '0', args[4]) or {}) do
			audit_post(tag, author, decode_id(member) or '0')
		end
	end
	local karma = read('HGET', stored, author)
	return { tonumber(karma or 0) or 0, karma_audit.sum, karma_audit.calls }
end

-- karma_4 karma | token author since max id...
-- Adds posts of an author to a sum that continues over calls with one token: the posts of
-- the ids ("7", "7:3"), and those of the author's lists posted since a time, up to max of
-- each list. Returns the stored karma; the sum, which includes votes cast meanwhile; and the
-- number of calls in it. The sum restarts with another token, or when the library was loaded
-- again.
register_reader('karma_4', function(keys, args)
	return audit_karma(keys[1], args)
end)

-- karma_3 karma | author id...
-- Returns the stored karma of an author in a bucket, and the sum over the posts of the
-- author's lists and of the ids, in one call. For the last release.
register_reader('karma_3', function(keys, args)
	local tag = split_list_key(keys[1])
	local author, ids, sum = args[1], {}, 0
	local lists = { author_articles_key(tag, author),
		author_comments_key(tag, author) }
	require_keys(keys[1], unpack(lists))
	for i = 2, #args do
		ids[args[i]] = true
	end
	for _, list in ipairs(lists) do
		for _, member in ipairs(redis.call('ZRANGE', list, 0, -1)) do
			ids[decode_id(member) or '0'] = true
		end
	end
	for id in pairs(ids) do
		local key = post_key(tag, id)
		require_keys(keys[1], key)
		local post = read_post(key)
		if post and post.author == author then
			sum = sum + (tonumber(post.up) or 0) -
				(tonumber(post.down) or 0) - 1
		end
	end
	local karma = redis.call('HGET', keys[1], author)
	return { tonumber(karma or 0) or 0, sum }
end)

tally.new_breaks, tally.is_number = new_breaks, is_number
tally.count_votes, tally.expiry_differs = count_votes, expiry_differs
tally.count_records, tally.misplaced = count_records, misplaced
tally.audit_karma, tally.check_containment = audit_karma, check_containment
end
