-- Comments: their hashes, the index of their thread, and their lists.
--
-- A comment is in two places. Its hash has the texts and the author. Its thread, one string
-- for an article, has a record of 16 bytes for each comment, by number, with what the order
-- of a page needs: so a page of a thread reads one string, and then the hashes of the
-- comments that it shows.
--
--	{b.n}thread:7
--	byte 0       8       16              32
--	     +-------+-------+---------------+---------------+----
--	     |changes| unused|   comment 1   |   comment 2   | ...
--	     +-------+-------+---------------+---------------+----
--	                    /                 \
--	     parent  state  posted  up  down  edition
--	     3       1      4       3   3     2      bytes
--
-- "changes" counts all changes of the thread, and is its version for caches. "edition"
-- counts edits of one comment, and is the version of its rendered text. "state" is 0, 1 when
-- it is removed, and 3 when its author did that. What each operation writes:
--
--	                hash  record          lists           article's hash
--	comment_1       all   all             newest, author, comments, commented
--	                                      active
--	rewrite_1       text  edition         -               -
--	vote_3          -     up, down        -               -
--	remove, restore why   state, edition  out of, into,   comments
--	                                      active
--	disown_1        name  edition         -               -

do
local require_keys, keys_may_move = import('require_keys', 'keys_may_move')
local post_key, cached = import('post_key', 'cached')
local varint, comment_id = import('varint', 'comment_id')
local comment_number_in, queue_key = import('comment_number_in', 'queue_key')
local thread_key, flaggers_key = import('thread_key', 'flaggers_key')
local comments_key = import('comments_key')
local author_comments_key = import('author_comments_key')
local outbox_key = import('outbox_key')
local author_removed_key = import('author_removed_key')
local changes_key, note_change = import('changes_key', 'note_change')
local missing_key = import('missing_key')
local now, words, fields_by_name = import('now', 'words', 'fields_by_name')
local kinds, complete_post = import('kinds', 'complete_post')
local read_fields, read_post = import('read_fields', 'read_post')
local is_withdrawn = import('is_withdrawn')
local is_waiting = import('is_waiting')
local flags_of, register_change = import('flags_of', 'register_change')
local bump_version, set_text = import('bump_version', 'set_text')
local add_voters = import('add_voters')
local read_layout_4 = import('read_layout_4')
local with_room = import('with_room')
local add_to_lists, write_place = import('add_to_lists', 'write_place')
local active_lists, active_since = import('active_lists', 'active_since')
local active_at = import('active_at')
local mod_action_keys = import('mod_action_keys')
local note_mod_action = import('note_mod_action')
local add_flag, forget_decisions = import('add_flag', 'forget_decisions')

-- Fields that are in the record and not in the hash: there they took 30 bytes more, and
-- each number was stored twice.
local in_record = { parent = true, posted = true, up = true, down = true }

-- A record, its size in bytes, and its parts in bits from its beginning.
local record_format, record_size = '>I3BI4I3I3I2', 16
local record_offsets = { parent = 0, days = 24, state = 30, posted = 32, up = 64,
	down = 88, edition = 112 }

-- The highest number of a comment: a parent has 24 bits.
local number_max = 16777215

-- The bits of a state.
local state_removed, state_by_author = 1, 2

-- A comment's place: the id and the key of its article, its thread, and its number.
local place_of = cached(function(tag, id)
	local article, number = string.match(id, '^(%d+):(%d+)$')
	return { id = article, article = post_key(tag, article),
		thread = thread_key(tag, article), number = number }
end)

local function thread_place(comment)
	return place_of(comment.tag, comment.id)
end

-- Counts one change of the thread, and writes parts of a record with the operations of BITFIELD
-- that are given.
local function change_thread(place, ...)
	redis.call('BITFIELD', place.thread, 'INCRBY', 'u63', '0', '1', ...)
end

local function record_bit(place, part)
	return string.format('%d', place.number * record_size * 8 + record_offsets[part])
end

-- A comment's record, shorter when there is none.
local function record_at(thread, number)
	local at = number * record_size
	return redis.call('GETRANGE', thread, string.format('%d', at),
		string.format('%d', at + record_size - 1))
end

-- The parts of a record: parent, posted, up, down, state, days; zeros when there is none.
local function decode_record(place)
	local record = record_at(place.thread, place.number)
	if #record < 14 then
		return 0, 0, 0, 0, 0, 0
	end
	local parent, state, posted, up, down =
		struct.unpack('>I3BI4I3I3', record)
	return parent, posted, up, down, state % 4, math.floor(state / 4)
end

-- The size of a bucket's list of the newest comments; an author's list has all. "newest" in
-- the bucket's versions is the time up to which comments were trimmed from it: a restored
-- comment from before is not added, since its neighbours are missing.
local newest_max = 1000

-- Comments beyond that number after which the list is trimmed: doing it at each comment takes
-- a tenth of its time.
local newest_slack = 64

-- The comments beyond that number, with their moments. Those from the future, written while
-- a clock was ahead, are not counted against the others.
local function excess_newest(list, moment)
	local top = redis.call('ZRANGE', list, '-1', '-1', 'WITHSCORES')
	if not top[2] or top[2] - moment <= 0 then
		return redis.call('ZRANGE', list, '0',
			string.format('%d', -newest_max - 1), 'WITHSCORES')
	end
	return redis.call('ZREVRANGEBYSCORE', list, moment, '-inf',
		'WITHSCORES', 'LIMIT', string.format('%d', newest_max), '-1')
end

-- The time up to which comments were trimmed.
local function trimmed_until(comment)
	return tonumber(redis.call('HGET', comment.versions, 'newest') or 0) or 0
end

-- A moment in the future, from a clock that was ahead, does not count.
local function is_too_old(comment)
	local lost = trimmed_until(comment)
	return comment.posted - lost < 0 and lost - now() <= 0
end

local function trim_newest(comment)
	local list = comments_key(comment.tag)
	if redis.call('ZCARD', list) <= newest_max + newest_slack then
		return
	end
	local beyond = excess_newest(list, now())
	if #beyond == 0 then
		return
	end
	-- The newest of them comes last or, where some are of the future, first.
	local last = math.max(beyond[2], beyond[#beyond])
	if last - trimmed_until(comment) > 0 then
		redis.call('HSET', comment.versions, 'newest',
			string.format('%d', last))
	end
	redis.call('ZREMRANGEBYRANK', list, '0',
		string.format('%d', #beyond / 2 - 1))
end

local function lists_of(comment)
	return { author_comments_key(comment.tag, comment.author),
		author_removed_key(comment.tag, comment.author),
		comments_key(comment.tag) }
end

-- Says where a comment is (post.lua): the scores are in the order of lists_of.
local function places(comment)
	local is_shown = not comment.removed
	local newest = is_shown and comment.posted
	if is_shown and not comment.is_new and is_too_old(comment) then
		newest = nil
	end
	return lists_of(comment), { is_shown and comment.posted,
		not is_shown and comment.posted, newest }
end

-- The article's hash counts the comments that are not removed.
local function count_comment(comment, step)
	bump_version(comment, 'edits')
	redis.call('HINCRBY', thread_place(comment).article, 'comments', step)
end

-- Places the article by its last comment. Returns the number of entries that changed.
local function place_active(article, since)
	local changes = 0
	for _, list in ipairs(active_lists(article)) do
		changes = changes + write_place(list, since, article.member)
	end
	return changes
end

-- The same of a comment's article, if there is one.
local function refresh_active(comment)
	local article = read_post(thread_place(comment).article)
	return article and place_active(article, active_since(article)) or 0
end

-- The same after a comment was removed: only if it may have been the last one, since the thread is
-- searched for the one before it, behind all that were removed.
local function leave_active(comment)
	local article = read_post(thread_place(comment).article)
	if article and redis.call('ZSCORE', active_lists(article)[1], article.member) ==
		active_at(article, comment.posted) then
		place_active(article, active_since(article))
	end
end

local function removal_state(comment)
	if not comment.removed then
		return 0
	end
	return is_withdrawn(comment) and state_removed + state_by_author or
		state_removed
end

-- The record of a comment that is written whole; one that waits to be shown has no time.
local function encode_record(comment)
	return struct.pack(record_format, comment.parent or 0, removal_state(comment),
		comment.held and 0 or comment.posted, comment.up, comment.down, 0)
end

local function write_state(comment, place)
	change_thread(place, 'SET', 'u2', record_bit(place, 'state'),
		removal_state(comment))
end

-- Numbers that a load has reserved end with the last comment of that load.
local function delete_reserved(place, reserved)
	if reserved and reserved - place.number <= 0 then
		redis.call('HDEL', place.article, 'reserved')
	end
end

-- Notes a comment that has a record as the thread's last one, if it is.
local function note_last(comment, place)
	local last = redis.call('HMGET', place.article, 'commented', 'reserved')
	if place.number - (last[1] or 0) <= 0 then
		return
	end
	redis.call('HSET', place.article, 'commented', place.number)
	bump_version(comment, 'edits')
	delete_reserved(place, last[2])
end

-- Notes a comment that is the last of its article from now on, and counts it.
local function note_new(comment, article)
	local place = thread_place(comment)
	redis.call('HSET', place.article, 'commented', place.number)
	delete_reserved(place, article.reserved)
	count_comment(comment, '1')
	trim_newest(comment)
end

local function store_counts(comment)
	local place = thread_place(comment)
	change_thread(place, 'SET', 'u24', record_bit(place, 'up'), comment.up,
		'SET', 'u24', record_bit(place, 'down'), comment.down)
end

-- The members to notify of a comment: the parent's author, and members whom it mentions;
-- each once, and never its own author.
local function recipients(author, answered, why, named)
	local notified, list = { [author] = true }, {}
	if not notified[answered] then
		notified[answered] = true
		list[1] = answered .. '=' .. why
	end
	for _, user in ipairs(words(named)) do
		if not notified[user] then
			notified[user] = true
			list[#list + 1] = user .. '=mention'
		end
	end
	return table.concat(list, ' ')
end

-- Adds a notification to the outbox, if there is anybody to notify.
local function tell(comment, author, answered, why, named)
	local to = recipients(author, answered, why, named)
	if to ~= '' then
		redis.call('XADD', outbox_key(comment.tag), '*', 'post', comment.id,
			'by', author, 'to', to)
	end
end

-- The same for a comment that is shown for the first time.
local function notify(comment, place, named)
	local parent = string.format('%d', comment.parent)
	local answered = read_post(parent == '0' and place.article or
		post_key(comment.tag, comment_id(place.id, parent)))
	if answered then
		tell(comment, comment.author, answered.author,
			parent == '0' and 'article' or 'reply', named)
	end
end

kinds.comment = {
	vote_keys = function(comment)
		local place = thread_place(comment)
		return { place.thread, place.article }
	end,
	is_reachable = function(comment)
		return redis.call('HEXISTS', thread_place(comment).article,
			'removed') == 0
	end,
	list_keys = function(comment)
		local place = thread_place(comment)
		require_keys(comment.key, place.article)
		local keys = active_lists({ tag = comment.tag, groups =
			redis.call('HGET', place.article, 'groups') or '' })
		for _, list in ipairs(lists_of(comment)) do
			keys[#keys + 1] = list
		end
		return { place.article, place.thread, unpack(keys) }
	end,
	places = places,
	adopt = function()
	end,
	note_shown = function(comment, step)
		local place = thread_place(comment)
		count_comment(comment, step)
		write_state(comment, place)
		if step == '1' then
			trim_newest(comment)
			refresh_active(comment)
		else
			leave_active(comment)
		end
	end,
	count = count_comment,
	require_threshold_keys = function()
	end,
	store_counts = store_counts,
	write_counts = store_counts,
	note_edit = function(comment)
		local place = thread_place(comment)
		change_thread(place, 'INCRBY', 'u16', record_bit(place, 'edition'), '1')
	end,
	put_placeholder = function(comment, text)
		if text ~= '' then
			redis.call('HSET', comment.key, 'text', text)
		end
	end,
	write_fields = function(comment, fields, first)
		local place, hash = thread_place(comment), with_room()
		local record = encode_record(comment)
		for i = first, #fields, 2 do
			if not in_record[fields[i]] then
				hash[#hash + 1], hash[#hash + 2] = fields[i], fields[i + 1]
			end
		end
		redis.call('HSET', comment.key, unpack(hash))
		redis.call('SETRANGE', place.thread,
			string.format('%d', place.number * record_size), record)
		change_thread(place)
		if not comment.held and not comment.is_new then
			note_last(comment, place)
		end
	end,
	write_removal = function(comment)
		write_state(comment, thread_place(comment))
	end,
	-- Writes the rest of its record, and tells whom it concerns.
	write_first_times = function(comment, named)
		local place = thread_place(comment)
		change_thread(place, 'SET', 'u32', record_bit(place, 'posted'),
			comment.posted)
		note_last(comment, place)
		notify(comment, place, named)
	end,
	release_keys = function(comment)
		local place = thread_place(comment)
		local parent = string.format('%d', comment.parent)
		return { outbox_key(comment.tag), place.article, parent ~= '0' and
			post_key(comment.tag, comment_id(place.id, parent)) or nil }
	end,
	read_record = function(comment)
		local place = thread_place(comment)
		require_keys(comment.key, place.thread)
		local days
		comment.parent, comment.posted, comment.up, comment.down,
			comment.state, days = decode_record(place)
		read_layout_4(comment, days)
		-- Its record has no time, so that the thread has no such comment.
		if comment.held then
			comment.posted = comment.held
		end
	end,
}

-- A comment cannot be loaded without its article.
local function has_article(post)
	return post.kind ~= kinds.comment or
		redis.call('EXISTS', thread_place(post).article) == 1
end

-- An article as its conversation needs it.
local thread_fields = { 'author', 'posted', 'groups', 'removed', 'thread_closed',
	'commented', 'reserved' }

-- True if a thread takes comments: for a number of seconds after its article was posted,
-- unless moderators close it.
local function takes_comments(article, seconds, moment)
	return not article.removed and not article.thread_closed and
		moment - article.posted - seconds < 0
end

-- The last number that is taken, or reserved for a load (load.lua).
local function last_number(article)
	return math.max(tonumber(article.commented or 0), tonumber(article.reserved or 0))
end

-- The key of the first comment after a number that does not exist, and its number: a count lags
-- behind after a crash, and where comments wait to be shown. Those have records as well, so that
-- however many they are, all are passed at once.
local function unused_key(article, number)
	local tag, id, records = article.tag, article.id, nil
	while true do
		local text = string.format('%d', number + 1)
		local key = post_key(tag, comment_id(id, text))
		if redis.call('EXISTS', key) == 0 then
			return key, text
		end
		records = records or
			redis.call('STRLEN', thread_key(tag, id)) / record_size - 1
		number = math.max(number + 1, records)
	end
end

-- The fourth of an author's last comments: one that is sent again is at least as new.
local oldest_repeatable = '3'

-- The comments of a list of an author that may be the one that is sent again. A list orders those of
-- one second by their articles, so all of that second belong to them; and all from the future, written
-- while a clock was ahead.
local function repeatable_in(list, moment)
	local oldest = redis.call('ZREVRANGEBYSCORE', list, moment, '-inf',
		'WITHSCORES', 'LIMIT', oldest_repeatable, '1')
	return redis.call('ZREVRANGEBYSCORE', list, '+inf', oldest[2] or '-inf')
end

-- The first of these comments that is the same in the same place.
local function find_same(article, comment, list, is_wanted)
	local prefix = #list > 0 and varint(article.id)
	for i = 1, #list do
		local number = comment_number_in(prefix, list[i])
		local key = number and post_key(article.tag,
			comment_id(article.id, number))
		if number and redis.call('HGET', key, 'text') == comment.text and
			decode_record({ number = number,
				thread = thread_key(article.tag, article.id) }) -
			(comment.parent or 0) == 0 and is_wanted(key) then
			return number
		end
	end
end

-- The number of the same comment by the author in the same place, among the last few: a
-- form was sent twice. Those that wait to be shown are among the removed ones.
local function find_duplicate(article, author, comment, moment)
	local tag = article.tag
	return find_same(article, comment,
		repeatable_in(author_comments_key(tag, author), moment),
		function()
			return true
		end) or find_same(article, comment,
		repeatable_in(author_removed_key(tag, author), moment),
		function(key)
			return is_waiting(read_post(key))
		end)
end

-- The moment of the last comment on an article in a list of an author, or since if it is older.
local function last_comment(list, article, since)
	local last = redis.call('ZREVRANGEBYSCORE', list, '+inf',
		string.format('(%d', since), 'WITHSCORES')
	local prefix = varint(article.id)
	for i = 1, #last, 2 do
		if comment_number_in(prefix, last[i]) then
			return tonumber(last[i + 1])
		end
	end
	return since
end

-- Slow mode, where several members have flagged posts of a thread: the seconds until the
-- author may comment there again.
local function slow_mode_wait(article, author, flags, seconds)
	local members = redis.call('SCARD', flaggers_key(article.tag, article.id))
	if members - flags < 0 then
		return 0
	end
	local since = now() - seconds
	return math.max(
		last_comment(author_comments_key(article.tag, author), article, since),
		last_comment(author_removed_key(article.tag, author), article, since)) -
		since
end

-- Nothing is posted in a slot that moves: the last of the first keys never exists.
local function require_keys_of_new(article, author)
	local tag = article.tag
	require_keys(article.key, article.versions, thread_key(tag, article.id),
		comments_key(tag), author_comments_key(tag, author),
		author_removed_key(tag, author), outbox_key(tag), changes_key(tag),
		flaggers_key(tag, article.id), queue_key(tag), missing_key(tag),
		unpack(active_lists(article)))
end

-- The author of a comment, and when it was removed; nil when there is none.
local function read_answered(key)
	require_keys(key)
	local v = redis.call('HMGET', key, 'author', 'removed')
	return v[1] and string.match(v[1], '^%d+'), v[2]
end

-- comment_1 article | author window thread_window flags seconds named first name value...
-- Writes a comment from its fields, under the article's next number, with its author's
-- vote, and its notifications into the outbox: "ok" and the number. With a field "held" it waits
-- to be shown instead (release_1). "taken" and the number
-- when the author has written the same there; "absent", also of a parent; "removed";
-- "closed"; in slow mode "limited" and the seconds to wait.
redis.register_function('comment_1', function(keys, args)
	local article = read_fields(keys[1], thread_fields)
	if not article then
		return 'absent'
	end
	local author, tag = args[1], article.tag
	local comment = fields_by_name(args, 8)
	local answered, removed, why = article.author, article.removed, 'article'
	if keys_may_move() then
		require_keys_of_new(article, author)
	end
	if comment.parent then
		local parent_removed
		answered, parent_removed = read_answered(post_key(tag,
			comment_id(article.id, comment.parent)))
		removed, why = removed or parent_removed, 'reply'
	end
	local moment, number = now(), last_number(article)
	local repeated = find_duplicate(article, author, comment, moment)
	if repeated then
		return { 'taken', repeated }
	elseif removed then
		return { 'removed' }
	elseif not answered then
		return { 'absent' }
	elseif not takes_comments(article, args[3], moment) or number >= number_max then
		return { 'closed' }
	end
	local wait = slow_mode_wait(article, author, args[4], args[5])
	if wait > 0 then
		return { 'limited', wait }
	end
	args[#args + 1], args[#args + 2] = 'posted', moment
	args[#args + 1] = 'closes'
	args[#args + 1] = string.format('%d', moment + args[2])
	local key
	key, number = unused_key(article, number)
	comment = complete_post(key, args, 8, { held = moment, removed = moment })
	comment.is_new = true
	comment.kind.write_fields(comment, args, 8)
	add_to_lists(comment)
	if not comment.held then
		add_voters(comment, { '0', author }, 1, 2)
		note_new(comment, article)
		-- It is the last one.
		place_active(article, active_at(article, moment))
		note_change(comment)
		tell(comment, author, answered, why, args[6])
	end
	if args[7] == '1' then
		add_flag(comment, '0', 'first')
	end
	return { 'ok', number }
end)

-- rewrite_1 comment | seconds thread_window text links
-- Replaces the text, and marks the comment as edited if it is older than a number of
-- seconds. "closed" when its thread is.
register_change('rewrite_1', function(comment, args)
	local place = thread_place(comment)
	require_keys(comment.key, place.article, place.thread, comment.versions,
		flags_of(comment), changes_key(comment.tag))
	local article, moment = read_fields(place.article, thread_fields), now()
	if comment.removed then
		return 'removed'
	elseif not article or not takes_comments(article, args[2], moment) then
		return 'closed'
	elseif redis.call('HGET', comment.key, 'text') == args[3] then
		return 'ok'
	end
	comment.kind.note_edit(comment)
	note_change(comment)
	-- Feeds have its text.
	bump_version(comment, 'edits')
	forget_decisions(comment)
	redis.call('HSET', comment.key, 'text', args[3])
	set_text(comment, 'links', args[4])
	if moment - comment.posted - args[1] >= 0 then
		redis.call('HSET', comment.key, 'edited', moment)
	end
	return 'ok'
end)

-- thread_1 article | wanted buckets name value...
-- Closes the article's thread ('closed') or reopens it ('open'). The names and
-- values are those of the action.
register_change('thread_1', function(article, args)
	local keys = mod_action_keys(article.tag, args, 3)
	local is_closed = redis.call('HEXISTS', article.key, 'thread_closed') == 1
	if article.removed then
		return 'removed'
	elseif is_closed == (args[1] == 'closed') then
		return 'ok'
	end
	require_keys(article.key, article.versions, unpack(keys))
	bump_version(article, 'edits')
	if is_closed then
		redis.call('HDEL', article.key, 'thread_closed')
	else
		redis.call('HSET', article.key, 'thread_closed', now())
	end
	note_mod_action(article.tag, args[2], args, 3)
	return 'ok'
end)

tally.thread_place, tally.record_at = thread_place, record_at
tally.removal_state, tally.write_state = removal_state, write_state
tally.record_bit = record_bit
tally.trimmed_until, tally.trim_newest = trimmed_until, trim_newest
tally.refresh_active = refresh_active
tally.has_article = has_article
end
