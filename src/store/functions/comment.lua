-- Comments: the index of a thread, and the lists that they stand in.

do
local all_here, post_key, short_of = import('all_here', 'post_key', 'short_of')
local member_of, number_behind = import('member_of', 'number_behind')
local flags_of, queue_of = import('flags_of', 'queue_of')
local thread_of, flaggers_of = import('thread_of', 'flaggers_of')
local comments_of = import('comments_of')
local author_comments_of, outbox_of = import('author_comments_of', 'outbox_of')
local gone_list_of, missing_key = import('gone_list_of', 'missing_key')
local now, words, by_name, kinds = import('now', 'words', 'by_name', 'kinds')
local complete, read_post = import('complete', 'read_post')
local is_withdrawn, register_change = import('is_withdrawn', 'register_change')
local note_change, set_links = import('note_change', 'set_links')
local add_voters = import('add_voters')
local take_out_of = import('take_out_of')
local keys_of_act, note_act = import('keys_of_act', 'note_act')
local add_flag, forget_dismissed = import('add_flag', 'forget_dismissed')

-- What the index has of a comment, and its hash has not: with these a comment took 30
-- bytes more of Redis, and each number stood in two places.
local apart = { parent = true, posted = true, up = true, down = true }

-- Where the parts of a record begin in the index, in bits.
local record_bits = 128
local bits = { parent = 0, days = 24, state = 30, posted = 32, up = 64,
	down = 88, edition = 112 }

-- After how many days voting on it closes, when these are whole and there is room for
-- them. Otherwise, 0, its hash has the moment, which takes 14 bytes.
local day, days_max = 86400, 63

local function days_of(comment)
	local days = (comment.closes - comment.posted) / day
	return days > 0 and days <= days_max and days % 1 == 0 and days or 0
end

-- The last number that a record's parent, and a member of a list, has room for.
local number_max = 16777215

-- What a record says of a removed one: by a moderator 1, by its author 3.
local gone, by_author = 1, 2

-- A comment's article, as its id, its key and its thread; and its number.
local function place_of(comment)
	local article, number = string.match(comment.id, '^(%d+):(%d+)$')
	return { id = article, article = post_key(comment.tag, article),
		thread = thread_of(comment.tag, article), number = number }
end

-- Changes records: each change is an operation of BITFIELD on a part, and all of
-- them are one change of the thread.
local function change_thread(place, ...)
	redis.call('BITFIELD', place.thread, 'INCRBY', 'u63', '0', '1', ...)
end

local function bit_of(place, part)
	return string.format('%d', place.number * record_bits + bits[part])
end

-- A comment's record, shorter when there is none.
local function record_at(thread, number)
	local at = number * record_bits / 8
	return redis.call('GETRANGE', thread, string.format('%d', at),
		string.format('%d', at + record_bits / 8 - 1))
end

-- Its parent, when it was posted, its counts and state, and after how many days it
-- closes; zeros when there is none.
local function record_of(place)
	local record = record_at(place.thread, place.number)
	if #record < 14 then
		return 0, 0, 0, 0, 0, 0
	end
	local parent, state, posted, up, down =
		struct.unpack('>I3BI4I3I3', record)
	return parent, posted, up, down, state % 4, math.floor(state / 4)
end

-- Makes room for a record, in the steps that memory comes in: four from a power of two to
-- the next, less what Redis puts before a string. Redis would double a string that grows,
-- and so a comment took seven bytes more.
local function make_room(place)
	if #record_at(place.thread, place.number) == record_bits / 8 then
		return
	end
	local size, step = (place.number + 1) * record_bits / 8 + 16, 16
	while size > 8 * step do
		step = 2 * step
	end
	size = math.ceil(size / step) * step - 16
	local index = redis.call('GET', place.thread) or ''
	redis.call('SET', place.thread, index .. string.rep('\0', size - #index))
end

local function comment_lists(comment)
	return { comments_of(comment.tag),
		author_comments_of(comment.tag, comment.author) }
end

-- The newest comments of a bucket are so many; a member's are all. Up to which moment
-- some fell out is noted: none of then is put back, or it would stand there without
-- those between it and the others.
local newest_max = 1000

-- Those that fall out, and their moments. What a clock that was ahead has dated later than
-- now takes no room from the others.
local function beyond_newest(list, moment)
	local top = redis.call('ZRANGE', list, '-1', '-1', 'WITHSCORES')
	if top[2] - moment <= 0 then
		return redis.call('ZRANGE', list, '0',
			string.format('%d', -newest_max - 1), 'WITHSCORES')
	end
	return redis.call('ZREVRANGEBYSCORE', list, moment, '-inf',
		'WITHSCORES', 'LIMIT', string.format('%d', newest_max), '-1')
end

local function put_into_newest(comment)
	local list, moment = comments_of(comment.tag), now()
	local lost = redis.call('HGET', comment.versions, 'newest') or 0
	-- What fell out while a clock was ahead says nothing of what is written today.
	if comment.posted - lost < 0 and lost - moment <= 0 then
		return
	end
	redis.call('ZADD', list, comment.posted, member_of(comment.id))
	local beyond = beyond_newest(list, moment)
	if #beyond == 0 then
		return
	end
	-- The newest of them comes last or, where some are of the future, first.
	local last = math.max(beyond[2], beyond[#beyond])
	if last - lost > 0 then
		redis.call('HSET', comment.versions, 'newest',
			string.format('%d', last))
	end
	redis.call('ZREMRANGEBYRANK', list, '0',
		string.format('%d', #beyond / 2 - 1))
end

local function put_into_comments(comment)
	redis.call('ZADD', author_comments_of(comment.tag, comment.author),
		comment.posted, member_of(comment.id))
	put_into_newest(comment)
end

-- How many can be read stands with the article.
local function count_comment(comment, place, step)
	note_change(comment, 'edits')
	redis.call('HINCRBY', place.article, 'comments', step)
end

local function state_of(comment)
	if not comment.removed then
		return 0
	end
	return is_withdrawn(comment) and gone + by_author or gone
end

local function set_state(comment, place)
	change_thread(place, 'SET', 'u2', bit_of(place, 'state'),
		state_of(comment))
end

-- What a load has reserved of a thread is used up with its last comment.
local function drop_reserved(place)
	local reserved = redis.call('HGET', place.article, 'reserved')
	if reserved and reserved - place.number <= 0 then
		redis.call('HDEL', place.article, 'reserved')
	end
end

kinds.comment = {
	ranks = function(comment)
		local place = place_of(comment)
		return { place.thread, place.article }
	end,
	stands = function(comment)
		return redis.call('HEXISTS', place_of(comment).article,
			'removed') == 0
	end,
	places = function(comment)
		local place, lists = place_of(comment), comment_lists(comment)
		return { place.article, place.thread, lists[1], lists[2],
			gone_list_of(comment.tag, comment.author) }
	end,
	gone = function(comment)
		return gone_list_of(comment.tag, comment.author)
	end,
	enter = function(comment)
		local place = place_of(comment)
		comment.removed = nil
		put_into_comments(comment)
		count_comment(comment, place, '1')
		set_state(comment, place)
	end,
	leave = function(comment)
		local place = place_of(comment)
		comment.removed = '1'
		take_out_of(comment_lists(comment), member_of(comment.id))
		count_comment(comment, place, '-1')
		set_state(comment, place)
	end,
	ask_crossed = function()
	end,
	moved = function(comment, _)
		local place = place_of(comment)
		change_thread(place, 'SET', 'u24', bit_of(place, 'up'), comment.up,
			'SET', 'u24', bit_of(place, 'down'), comment.down)
	end,
	edited = function(comment)
		local place = place_of(comment)
		change_thread(place, 'INCRBY', 'u16', bit_of(place, 'edition'), '1')
	end,
	erase = function(comment, text)
		redis.call('HDEL', comment.key, 'text', 'links')
		if text ~= '' then
			redis.call('HSET', comment.key, 'text', text)
		end
	end,
	write = function(comment, fields, first)
		local place, hash = place_of(comment), {}
		local days = days_of(comment)
		for i = first, #fields, 2 do
			if not apart[fields[i]] and
				(fields[i] ~= 'closes' or days == 0) then
				hash[#hash + 1], hash[#hash + 2] = fields[i], fields[i + 1]
			end
		end
		redis.call('HSET', comment.key, unpack(hash))
		make_room(place)
		change_thread(place,
			'SET', 'u24', bit_of(place, 'parent'), comment.parent or '0',
			'SET', 'u6', bit_of(place, 'days'), string.format('%d', days),
			'SET', 'u2', bit_of(place, 'state'), state_of(comment),
			'SET', 'u32', bit_of(place, 'posted'), comment.posted,
			'SET', 'u24', bit_of(place, 'up'), comment.up,
			'SET', 'u24', bit_of(place, 'down'), comment.down,
			'SET', 'u16', bit_of(place, 'edition'), '0')
		local last = redis.call('HGET', place.article, 'commented') or 0
		if place.number - last > 0 then
			redis.call('HSET', place.article, 'commented', place.number)
			note_change(comment, 'edits')
			drop_reserved(place)
		end
	end,
	recall = function(comment)
		local place = place_of(comment)
		all_here(comment.key, place.thread)
		local days
		comment.parent, comment.posted, comment.up, comment.down,
			comment.state, days = record_of(place)
		if days > 0 or not comment.closes then
			comment.closes = comment.posted + days * day
		end
	end,
}

-- A comment needs its article.
local function belongs_somewhere(post)
	return post.kind ~= kinds.comment or
		redis.call('EXISTS', place_of(post).article) == 1
end

-- Whether a thread takes comments: for so many seconds after its article was posted,
-- unless moderators have closed it.
local function takes_comments(article, seconds)
	return not article.removed and now() - article.posted - seconds < 0 and
		redis.call('HEXISTS', article.key, 'thread_closed') == 0
end

-- The last number of a comment that was given out, or is reserved for a load (load.lua).
local function last_number(article)
	local v = redis.call('HMGET', article.key, 'commented', 'reserved')
	return math.max(tonumber(v[1] or 0), tonumber(v[2] or 0))
end

-- The author's last few comments, each with its moment. Those of a clock that was ahead
-- stand before all that is written once it was set back: then some without them, too.
local function last_comments(article, author)
	local list, moment = author_comments_of(article.tag, author), now()
	local last = redis.call('ZREVRANGE', list, '0', '19', 'WITHSCORES')
	if last[2] and last[2] - moment > 0 then
		local past = redis.call('ZREVRANGEBYSCORE', list, moment, '-inf',
			'WITHSCORES', 'LIMIT', '0', '20')
		for _, word in ipairs(past) do
			last[#last + 1] = word
		end
	end
	return last
end

-- The number of the author's comment with the same words in the same place, if it is
-- among the last few: somebody has sent a form twice.
local function find_repeated(article, author, comment)
	local last, prefix = last_comments(article, author), short_of(article.id)
	for i = 1, #last, 2 do
		local number = number_behind(prefix, last[i])
		local key = number and post_key(article.tag,
			article.id .. ':' .. number)
		if number and redis.call('HGET', key, 'text') == comment.text and
			record_of({ number = number,
				thread = thread_of(article.tag, article.id) }) -
			(comment.parent or 0) == 0 then
			return number
		end
	end
end

-- Where several members flag everybody has to wait between two comments of theirs: for how
-- many seconds more.
local function wait_for(article, author, flags, seconds)
	local members = redis.call('SCARD', flaggers_of(article.tag, article.id))
	if members - flags < 0 then
		return 0
	end
	local list = author_comments_of(article.tag, author)
	local since = now() - seconds
	local last = redis.call('ZREVRANGEBYSCORE', list, '+inf',
		string.format('(%d', since), 'WITHSCORES')
	local prefix = short_of(article.id)
	for i = 1, #last, 2 do
		if number_behind(prefix, last[i]) then
			return last[i + 1] - since
		end
	end
	return 0
end

-- Who is told of a comment: the author of what it answers, and up to some members whom
-- it names, each once and none of them its own author.
local function recipients(author, answered, why, named)
	local told, list = { [author] = true }, {}
	if not told[answered] then
		told[answered] = true
		list[1] = answered .. '=' .. why
	end
	for _, user in ipairs(words(named)) do
		if not told[user] then
			told[user] = true
			list[#list + 1] = user .. '=mention'
		end
	end
	return table.concat(list, ' ')
end

-- comment_1 article | author window thread_window flags seconds named first name value...
-- Writes a comment, of which the fields are given, with its author's vote, under the
-- article's next number: "ok" and the number; and into the outbox, whom to tell. "taken",
-- and its number, when the author has written the same there. "absent", also of a parent;
-- "removed"; "closed"; "limited", and for how many seconds, where flags come fast.
register_change('comment_1', function(article, args)
	local author, fields = args[1], { unpack(args, 8) }
	local comment, tag = by_name(fields, 1), article.tag
	local key, parent
	local thread = thread_of(tag, article.id)
	local answered, why = article.author, 'article'
	-- Nothing is posted in a slot that moves: the last of them is never there.
	all_here(article.key, article.versions, thread, comments_of(tag),
		author_comments_of(tag, author), outbox_of(tag),
		flaggers_of(tag, article.id), queue_of(tag), missing_key(tag))
	if comment.parent then
		key = post_key(tag, article.id .. ':' .. comment.parent)
		all_here(key)
		parent = read_post(key)
		answered, why = parent and parent.author, 'reply'
	end
	local repeated = find_repeated(article, author, comment)
	if repeated then
		return { 'taken', repeated }
	elseif article.removed or parent and parent.removed then
		return { 'removed' }
	elseif comment.parent and not parent then
		return { 'absent' }
	elseif not takes_comments(article, args[3]) or
		last_number(article) >= number_max then
		return { 'closed' }
	end
	local wait = wait_for(article, author, args[4], args[5])
	if wait > 0 then
		return { 'limited', wait }
	end
	local moment = now()
	fields[#fields + 1], fields[#fields + 2] = 'posted', moment
	fields[#fields + 1] = 'closes'
	fields[#fields + 1] = string.format('%d', moment + args[2])
	local number = last_number(article)
	-- A count that is behind goes past what there is.
	repeat
		number = string.format('%d', number + 1)
		key = post_key(tag, article.id .. ':' .. number)
	until redis.call('EXISTS', key) == 0
	comment = complete(by_name(fields, 1), key)
	comment.kind.write(comment, fields, 1)
	add_voters(comment, { '0', author }, 1, 2)
	comment.kind.enter(comment)
	local to = recipients(author, answered, why, args[6])
	if to ~= '' then
		redis.call('XADD', outbox_of(tag), '*', 'post', comment.id, 'by',
			author, 'to', to)
	end
	if args[7] == '1' then
		add_flag(comment, '0', 'first')
	end
	return { 'ok', number }
end)

-- rewrite_1 comment | seconds thread_window text links
-- Changes the text, and says so if the comment is older than so many seconds. "closed"
-- when its thread is.
register_change('rewrite_1', function(comment, args)
	local place = place_of(comment)
	all_here(comment.key, place.article, place.thread, flags_of(comment))
	local article, moment = read_post(place.article), now()
	if comment.removed then
		return 'removed'
	elseif not article or not takes_comments(article, args[2]) then
		return 'closed'
	elseif redis.call('HGET', comment.key, 'text') == args[3] then
		return 'ok'
	end
	comment.kind.edited(comment)
	forget_dismissed(comment)
	redis.call('HSET', comment.key, 'text', args[3])
	set_links(comment, args[4])
	if moment - comment.posted - args[1] >= 0 then
		redis.call('HSET', comment.key, 'edited', moment)
	end
	return 'ok'
end)

-- thread_1 article | wanted buckets name value...
-- Closes the article's thread ('closed'), or opens it again ('open'). The names and
-- values are those of the act.
register_change('thread_1', function(article, args)
	local keys = keys_of_act(article.tag, args, 3)
	local is_closed = redis.call('HEXISTS', article.key, 'thread_closed') == 1
	if article.removed then
		return 'removed'
	elseif is_closed == (args[1] == 'closed') then
		return 'ok'
	end
	all_here(article.key, article.versions, unpack(keys))
	note_change(article, 'edits')
	if is_closed then
		redis.call('HDEL', article.key, 'thread_closed')
	else
		redis.call('HSET', article.key, 'thread_closed', now())
	end
	note_act(article.tag, args[2], args, 3)
	return 'ok'
end)

tally.place_of, tally.record_at = place_of, record_at
tally.comment_lists, tally.state_of = comment_lists, state_of
tally.belongs_somewhere = belongs_somewhere
end
