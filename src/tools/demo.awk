# Prints a small sample site as a dump:
#
#	awk -v now="$(date +%s)" -f src/tools/demo.awk src/tools/demo.tsv
#
# The log-ins are printed on standard error. The data is consistent: an article is
# interesting because enough members voted for it. All members share one password and
# its precomputed hash: a hash for each would take seconds.

BEGIN {
	FS = "\t"
	password = "look around"
	hash = "$argon2id$v=19$m=19456,t=2,p=1$e3R2mUpE+t5Sqdlx295JbQ" \
	    "$mGwdjfNVMTe3Q+vHrBn59VYxfhpLptuM6LlVOUlsBWI"
	interesting = 200 # as TALLY_INTERESTING is unless set
	window = 604800 # as TALLY_VOTE_WINDOW
	if (!vote)
		vote = 432 # as TALLY_VOTE_SCORE is unless set

	# Moderators and owners.
	role["otto"] = "moderator"
	role["lena"] = "owner"

	# Some post, and all vote: enough for articles to become interesting.
	members = split("mira jonas lena tomas priya otto aiko sven clara " \
	    "ben noor ivan ada emil fleur goran hana ilse jack kofi luis " \
	    "maya nils olga pablo quinn rosa sami tara umar vera wim", \
	    member, " ")
	firsts = split("alma boris cora dina egon fritz greta hugo ines jana " \
	    "karin leo mona nora oskar petra", first, " ")
	lasts = split("b c d f g h j k l m n p r s t v w", last, " ")
	for (i = 1; i <= firsts; i++)
		for (j = 1; j <= lasts; j++)
			member[++members] = first[i] "-" last[j]
	for (i = 1; i <= members; i++)
		printf "{\"kind\":\"user\",\"name\":\"%s\",\"created\":%d," \
		    "\"role\":\"%s\",\"password\":\"%s\"}\n", member[i],
		    now - 40000000 + i * 3600,
		    member[i] in role ? role[member[i]] : "member", hash

	# They vote for each other's, and nobody else does.
	rings = split("gerda gerold gerti gerwin", ring, " ")
	for (i = 1; i <= rings + 1; i++)
		printf "{\"kind\":\"user\",\"name\":\"%s\",\"created\":%d," \
		    "\"role\":\"member\",\"password\":\"%s\"}\n",
		    i <= rings ? ring[i] : "basil", now - 900000 + i * 60, hash

	# Whose first post is held.
	printf "{\"kind\":\"user\",\"name\":\"rike\",\"created\":%d," \
	    "\"role\":\"member\",\"password\":\"%s\",\"newcomer\":%d}\n",
	    now - 9000, hash, now - 9000

	printf "Log in as mira, or as anybody else whose name you see, with the " \
	    "password \"%s\".\n", password > "/dev/stderr"
	for (name in role)
		printf "%s has the role %s.\n", name, role[name] > "/dev/stderr"

	split("ask=Questions to everybody|c-lang=The C language|" \
	    "databases=Databases, large and small|" \
	    "design=Design: type, signs and pages|" \
	    "hardware=Hardware, to build and to repair|" \
	    "redis=Redis and what is built on it|science=Science|" \
	    "security=Keeping things safe|systems=Operating systems|" \
	    "web=The web", group, "|")
	moderators["c-lang"] = "\"mira\",\"ivan\""
	moderators["hardware"] = "\"mira\""
	for (i = 1; i in group; i++) {
		split(group[i], part, "=")
		printf "{\"kind\":\"group\",\"name\":\"%s\",\"title\":\"%s\"," \
		    "\"by\":\"%s\",\"created\":%d,\"moderators\":[%s]}\n",
		    part[1], part[2], member[i], now - 38000000 + i,
		    moderators[part[1]]
	}
	printf "mira moderates the groups c-lang and hardware.\n" \
	    > "/dev/stderr"
}

# The names of count voters, from member number first on, without the author.
function voters(first, count, author,    list, i, name) {
	list = ""
	for (i = 0; count > 0; i++) {
		name = member[(first + i) % members + 1]
		if (name == author)
			continue
		list = list ",\"" name "\""
		count--
	}
	return list
}

# Who voted is recorded until voting closes. Sets vote to that of mira.
function record(up, down, author,    ups, downs) {
	ups = voters(NR * 7, up - 1, author)
	downs = voters(NR * 7 + up, down, author)
	vote = ups ~ /"mira"/ ? "up" : downs ~ /"mira"/ ? "down" : ""
	return ",\"voters\":{\"up\":[\"" author "\"" ups "],\"down\":[" \
	    substr(downs, 2) "]}"
}

function record_ring(author,    ups, i) {
	for (i = 1; i <= rings; i++)
		ups = ups ",\"" ring[i] "\""
	vote = ""
	return ",\"voters\":{\"up\":[\"" author "\"" ups "],\"down\":[]}"
}

# An entry of the log; fields follow the moment.
function add_act(moment, fields) {
	act_at[++acts] = moment
	act[acts] = fields
}

function add_removal(moment, article, comment, author, reason) {
	add_act(moment, sprintf("\"what\":\"removed\",\"by\":\"otto\"," \
	    "\"article\":%d,%s\"member\":\"%s\",\"reason\":\"%s\"", article,
	    comment == "" ? "" : "\"comment\":" comment ",", author, reason))
}

# A notice to mira, if she wrote what is answered.
function add_notice(article, number, parent, author,    why) {
	if (author == "mira")
		return
	why = parent != "" && author_of[article, parent] == "mira" ? "reply" : \
	    author_of[article, ""] == "mira" ? "article" : ""
	if (why != "")
		notice[++notices] = sprintf("{\"kind\":\"notice\"," \
		    "\"to\":\"mira\",\"number\":%d,\"article\":%d," \
		    "\"comment\":%d,\"why\":\"%s\"}", notices, article, number,
		    why)
}

function text(field) {
	return field == "" ? "null" : "\"" field "\""
}

# Flags by three members, for which the post is folded.
function flags(moment,    list, i) {
	for (i = 7; i <= 9; i++)
		list = list sprintf(",{\"by\":\"%s\",\"reason\":\"%s\"," \
		    "\"at\":%d}", member[i], i < 9 ? "spam" : "off-topic",
		    moment + i * 60)
	return sprintf(",\"folded\":%d,\"flags\":[%s]", moment + 540,
	    substr(list, 2))
}

# "2026-11-20T14", of a number of hours since 1970.
function hour_name(hour,    days, year, length_of, month) {
	days = int(hour / 24)
	for (year = 1970; ; year++) {
		length_of[2] = year % 4 == 0 && year % 100 != 0 || \
		    year % 400 == 0 ? 29 : 28
		if (days < 337 + length_of[2])
			break
		days -= 337 + length_of[2]
	}
	for (month = 1; ; month++) {
		if (month != 2)
			length_of[month] = month ~ /^(4|6|9|11)$/ ? 30 : 31
		if (days < length_of[month])
			break
		days -= length_of[month]
	}
	return sprintf("%04d-%02d-%02dT%02d", year, month, days + 1, hour % 24)
}

# The score of an article at a moment, when its votes came evenly within half a day.
function score_at(article, moment,    share) {
	share = (moment - posted_at[article]) / 43200
	return posted_at[article] + vote * (1 + (share < 1 ? share : 1) * \
	    (points_of[article] - 1))
}

# The front page of an hour; nothing when no article was posted then.
function front_page(hour,    moment, i, best, used, list, places) {
	moment = hour * 3600
	for (places = 0; places < 100; places++) {
		best = 0
		for (i = 1; i <= id; i++)
			if (!used[i] && posted_at[i] <= moment && (!best || \
			    score_at(i, moment) > score_at(best, moment)))
				best = i
		if (!best)
			break
		used[best] = 1
		list = list ",\"" best "\""
	}
	if (places > 0)
		printf "{\"kind\":\"front\",\"hour\":\"%s\",\"articles\":" \
		    "[%s]}\n", hour_name(hour), substr(list, 2)
}

/^#/ {
	next
}

$1 == "comment" {
	posted = now - $2 * 60
	author_of[$3, ++said[$3]] = $7
	gone = "null"
	if ($9 != "")
		gone = sprintf("%d,\"removed_by\":\"%s\"", posted + 300,
		    $9 == "removed" ? "otto" : $7)
	if ($9 == "removed") {
		gone = gone ",\"ruling\":\"An advertisement.\""
		add_removal(posted + 300, $3, said[$3], $7, "An advertisement.")
	} else if ($9 == "")
		add_notice($3, said[$3], $4, $7)
	comment[++comments] = sprintf("{\"kind\":\"comment\"," \
	    "\"article\":%d,\"id\":%d,\"parent\":%s,\"text\":\"%s\"," \
	    "\"author\":\"%s\",\"posted\":%d,\"closes\":%d,\"up\":%d," \
	    "\"down\":%d,\"removed\":%s%s}", $3, said[$3],
	    $4 == "" ? "null" : $4, $9 == "deleted" ? "" : $8, $7, posted,
	    posted + window, $5, $6, gone,
	    posted + window > now ? record($5, $6, $7) : "")
	next
}

{
	posted = now - $1 * 60
	is_open = posted + window > now
	# Some hours later, but before now.
	later = posted + ($1 > 360 ? 180 : $1 / 2) * 60
	gsub(/ /, "\",\"", $2)
	barred = ""
	if (sub(/^out of /, "", $9))
		barred = ",\"barred\":[\"" $9 "\"]"
	printf("{\"kind\":\"article\",\"id\":%d,\"title\":\"%s\"," \
	    "\"url\":%s,\"text\":%s,\"author\":\"%s\",\"posted\":%d," \
	    "\"closes\":%d,\"groups\":[%s],\"up\":%d,\"down\":%d," \
	    "\"interesting\":%s,\"removed\":%s%s}\n", ++id, $6, text($7),
	    text($8), $5, posted, posted + window, $2 == "" ? "" : text($2),
	    $3, $4, $3 >= interesting ? sprintf("%d", later) : "null",
	    $9 == "removed" ? sprintf("%d", later) : \
	    $9 == "held" ? sprintf("%d,\"held\":%d", posted, posted) : "null",
	    barred ($9 == "folded" ? flags(later) : "") \
	    (!is_open || $9 == "held" ? "" : $9 == "ring" ? \
	    record_ring($5) : record($3, $4, $5)))
	author_of[id, ""] = $5
	if ($9 == "removed")
		add_removal(later, id, "", $5,
		    $7 == "" ? "Off topic." : "An advertisement.")
	if (is_open && vote != "" && $9 != "removed" && $9 != "held")
		voted[++votes] = sprintf("{\"kind\":\"vote\",\"by\":\"mira\"," \
		    "\"article\":%d,\"vote\":\"%s\",\"at\":%d}", id, vote, later)
	if ($9 == "held")
		next
	posted_at[id] = posted
	points_of[id] = $3 - $4
}

# A dump has them behind the articles.
END {
	for (i = 1; i <= comments; i++)
		print comment[i]
}

# The front pages of two days; the site was down for two hours.
END {
	for (i = int(now / 3600) - 48; i <= int(now / 3600); i++)
		if (i % 24 != 3 && i % 24 != 4)
			front_page(i)
}

# What mira hides, follows, saved and voted.
END {
	printf "{\"kind\":\"hidden\",\"by\":\"mira\",\"words\":\"keyboards\"," \
	    "\"at\":%d}\n", now - 90000
	split("c-lang databases redis", followed, " ")
	for (i = 1; i in followed; i++)
		printf "{\"kind\":\"follow\",\"by\":\"mira\"," \
		    "\"group\":\"%s\"}\n", followed[i]
	for (i = 1; i <= 4; i++)
		printf "{\"kind\":\"saved\",\"by\":\"mira\"," \
		    "\"article\":%d,\"at\":%d}\n", 5 * i, now - i * 3600
	for (i = 1; i <= votes; i++)
		print voted[i]
}

# The log, oldest first, and what mira is told.
END {
	add_act(now - 30000000, "\"what\":\"group-appointed\",\"by\":\"lena\"," \
	    "\"member\":\"mira\",\"subject\":\"c-lang\"")
	add_act(now - 20000000, "\"what\":\"appointed\",\"by\":\"lena\"," \
	    "\"member\":\"otto\",\"subject\":\"moderator\"")
	for (i = 1; i <= acts; i++) {
		first_act = 0
		for (j = 1; j <= acts; j++)
			if (!printed[j] && (!first_act || \
			    act_at[j] < act_at[first_act]))
				first_act = j
		printed[first_act] = 1
		printf "{\"kind\":\"act\",\"id\":%d,\"at\":%d,%s}\n", i,
		    act_at[first_act], act[first_act]
	}
	for (i = 1; i <= notices; i++)
		print notice[i]
}

# What a moderator wrote of a member.
END {
	printf "{\"kind\":\"member-note\",\"on\":\"mira\",\"by\":\"%s\"," \
	    "\"text\":\"Apologized to Ben for the argument about tabs.\"," \
	    "\"at\":%d}\n", "otto", now - 70000
}

# Who applies for registration.
END {
	printf "{\"kind\":\"application\",\"name\":\"hanne\",\"password\":" \
	    "\"%s\",\"answer\":\"I repair radios, and read here every day." \
	    "\\nBen showed me the site.\",\"applied\":%d}\n", hash, now - 20000
}
