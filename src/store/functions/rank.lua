-- rank_1 score-list | score member
-- How many of the list stand above that score and member, which need not be in
-- it. Among equal scores Redis orders by member: the place in between is found
-- by halving.
register_reader('rank_1', function(keys, args)
	local score, member = args[1], args[2]
	local low = redis.call('ZCOUNT', keys[1], '(' .. score, '+inf')
	local high = redis.call('ZCOUNT', keys[1], score, '+inf')
	while low < high do
		local middle = math.floor((low + high) / 2)
		local found = redis.call('ZREVRANGE', keys[1], middle, middle)
		if found[1] > member then
			low = middle + 1
		else
			high = middle
		end
	end
	return low
end)
