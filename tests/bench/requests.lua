-- What wrk sends:
--
--	wrk -s requests.lua URL -- KIND FILE THREADS WORD...
--
-- FILE is Lua that returns the members, each with cookie and token, or - for
-- none; each of the THREADS has its own share of the first 100. WORDS by KIND:
--
--	plain PATH            GET without a cookie
--	unchanged PATH 0 TAG  the same of a feed, by who has the one with this tag
--	member PATH           GET by one member after the other
--	empty                 POST of an empty form
--	vote FIRST COUNT AT   POST votes on COUNT articles from FIRST on; AT tells
--	                      how many each thread has cast before
--	post RUN              POST new articles; RUN keeps their links apart
--	comment FIRST COUNT RUN   POST comments to COUNT articles from FIRST on, in turn
--	                      to the article and to its comment 1; RUN keeps them apart
--	writeups FIRST COUNT AT   votes as the baseline takes them
--
-- CODING in the environment is the Accept-Encoding of what is read; empty for none.
--
-- One member after the other votes on all the articles, and then everyone again
-- with another state: so each vote changes something. None of them posted one
-- (SAMPLE_READERS in sample.h). Prints one line of JSON at the end.

local threads, states = {}, { 'down', 'up', 'none' }
local MEMBERS = 100

-- Global, because wrk reads and sets them from outside of the thread.
number, total, at = 0, 1, 0

function setup(thread)
	thread:set('number', #threads)
	threads[#threads + 1] = thread
end

local CODING = os.getenv('CODING') or ''

local function get(path, headers)
	if CODING ~= '' then
		headers['Accept-Encoding'] = CODING
	end
	return wrk.format('GET', path, headers)
end

local function form(path, cookie, body)
	return wrk.format('POST', path, {
		['Content-Type'] = 'application/x-www-form-urlencoded',
		['Cookie'] = cookie,
	}, body)
end

-- This thread's members.
local function share_of(members)
	local share = {}
	for i = 1 + number, MEMBERS, total do
		share[#share + 1] = members[i]
	end
	return share
end

local kinds = {}

function kinds.plain(members, path)
	local text = get(path, {})
	return function()
		return text
	end
end

function kinds.unchanged(members, path, _, tag)
	local text = get(path, { ['If-None-Match'] = tag })
	return function()
		return text
	end
end

function kinds.member(members, path)
	local texts = {}
	for i, member in ipairs(members) do
		texts[i] = get(path, { Cookie = member.cookie })
	end
	return function()
		at = at + 1
		return texts[at % #texts + 1]
	end
end

function kinds.empty(members)
	local text = form('/', nil, '')
	return function()
		return text
	end
end

function kinds.vote(members, first, count)
	return function()
		local turn = math.floor(at / count)
		local member = members[turn % #members + 1]
		local state = states[math.floor(turn / #members) % #states + 1]
		local article = first + at % count
		at = at + 1
		return form('/articles/' .. article .. '/vote', member.cookie,
			'csrf=' .. member.token .. '&vote=' .. state ..
			'&return_to=%2F')
	end
end

function kinds.writeups(members, first, count)
	return function()
		local user = number + total * at
		at = at + 1
		return form('/articles/' .. first + at % count .. '/vote', nil,
			'user=' .. 2000000 + user)
	end
end

function kinds.post(members, run)
	return function()
		local member = members[at % #members + 1]
		local name = run .. '-' .. number .. '-' .. at
		at = at + 1
		return form('/submit', member.cookie, 'csrf=' .. member.token ..
			'&title=What+every+programmer+should+know+about+' ..
			name .. '&url=https%3A%2F%2Fblog.example.org%2F2024%2F' ..
			'what-every-programmer-should-know%2F' .. name ..
			'&groups=topic-001')
	end
end

function kinds.comment(members, first, count, run)
	return function()
		local member = members[at % #members + 1]
		local name = run .. '-' .. number .. '-' .. at
		local article = first + math.floor(at / 2) % count
		local parent = at % 2
		at = at + 1
		return form('/articles/' .. article .. '/comments', member.cookie,
			'csrf=' .. member.token .. '&parent=' .. parent ..
			'&text=' .. name .. '+says+that+this+was+true+of+every+' ..
			'release+before+and+it+is+not+any+more%2C+since+nobody+' ..
			'measures+what+they+ship.')
	end
end

function init(args)
	local kind, file = args[1], args[2]
	local members = file == '-' and {} or dofile(file)
	total = tonumber(args[3])
	at = tonumber(args[6 + number]) or 0
	request = kinds[kind](share_of(members), args[4], tonumber(args[5]),
		args[6])
end

function done(summary, latency)
	local errors, cast = summary.errors, {}
	for i, thread in ipairs(threads) do
		cast[i] = thread:get('at')
	end
	io.write(string.format('{"requests":%d,"seconds":%f,"p50":%f,"p99":%f,' ..
		'"bad":%d,"broken":%d,"at":[%s]}\n', summary.requests,
		summary.duration / 1e6, latency:percentile(50) / 1e3,
		latency:percentile(99) / 1e3, errors.status, errors.connect +
		errors.read + errors.write + errors.timeout,
		table.concat(cast, ',')))
end
