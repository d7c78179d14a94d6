-- Second chances of articles (store/article.h).

do
local require_keys, again_key = import('require_keys', 'again_key')
local now, is_recent = import('now', 'is_recent')
local register_change, bump_version = import('register_change', 'bump_version')
local mod_action_keys = import('mod_action_keys')
local note_mod_action = import('note_mod_action')

-- again_1 article | youngest oldest buckets name value...
-- Notes that an article of that age in seconds has its second chance from now on: "closed" when it is
-- younger or older, "taken" when it had one. The names and values are those of the action.
register_change('again_1', function(article, args)
	local moment = now()
	local age = moment - article.posted
	if article.removed then
		return 'removed'
	elseif article.again then
		return is_recent(article.again) and 'ok' or 'taken'
	elseif age - args[1] < 0 or age - args[2] >= 0 then
		return 'closed'
	end
	require_keys(article.key, article.versions, again_key(article.tag),
		unpack(mod_action_keys(article.tag, args, 4)))
	bump_version(article, 'edits')
	redis.call('HSET', article.key, 'again', moment)
	redis.call('ZADD', again_key(article.tag), moment, article.member)
	note_mod_action(article.tag, args[3], args, 4)
	return 'ok'
end)
end
