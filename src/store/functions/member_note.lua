-- Notes of moderators on a member (store/member_note.h).

do
local member_notes_key, now = import('member_notes_key', 'now')
local is_open_account, register_set_check =
	import('is_open_account', 'register_set_check')

-- member_note_1 user | entry max at
-- Adds a note, of this moment if at is empty. "taken" when it is there already; "full" when there
-- are max. "absent" also when the account is closed.
redis.register_function('member_note_1', function(keys, args)
	local notes = member_notes_key(keys[1])
	if not is_open_account(keys[1], notes) then
		return { 'absent' }
	end
	if redis.call('ZSCORE', notes, args[1]) then
		return { 'taken' }
	end
	if redis.call('ZCARD', notes) - args[2] >= 0 then
		return { 'full' }
	end
	redis.call('ZADD', notes, args[3] ~= '' and args[3] or now(), args[1])
	return { 'ok' }
end)

-- check_member_notes_1 user | max
-- Returns the notes and their moments in turn, and then the breaks.
register_set_check('check_member_notes_1', member_notes_key, nil, function(notes)
	return redis.call('ZRANGE', notes, '0', '-1', 'WITHSCORES'),
		redis.call('ZCARD', notes)
end)
end
