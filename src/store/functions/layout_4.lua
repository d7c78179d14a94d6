-- Layout 4, from which data are moved on (store/move.h): all that knows of it in Lua is here,
-- and goes with the release that no longer opens it.
--
-- The time at which voting on a comment closes was in the first six bits of the state in its
-- record, as days after posting, and in its hash only where it was no whole number of days up
-- to 63.

do
-- Completes a comment that was read, from those six bits.
local function read_layout_4(comment, days)
	if not comment.closes then
		comment.days = days
		comment.closes = comment.posted + days * 86400
	end
end

-- Moves the time to the comment's hash. Its edition changes, by which it is cached.
local function leave_layout_4(comment, thread, days_bit)
	if not comment.days then
		return
	end
	redis.call('HSET', comment.key, 'closes',
		string.format('%d', comment.closes))
	redis.call('BITFIELD', thread, 'SET', 'u6', days_bit, '0')
	comment.kind.note_edit(comment)
end

tally.read_layout_4, tally.leave_layout_4 = read_layout_4, leave_layout_4
end
