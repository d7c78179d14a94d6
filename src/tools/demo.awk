# Writes a small site to look at, as a dump, to standard output:
#
#	awk -v now="$(date +%s)" -f src/tools/demo.awk src/tools/demo.tsv
#
# Its members have no passwords, so nobody can log in as one of them.

BEGIN {
	FS = "\t"
	members = split("mira jonas lena tomas priya otto aiko sven clara " \
	    "ben noor ivan ada emil fleur goran hana ilse jack kofi luis " \
	    "maya nils olga pablo quinn rosa sami tara umar vera wim", \
	    member, " ")
	for (i = 1; i <= members; i++)
		printf "{\"kind\":\"user\",\"name\":\"%s\",\"created\":%d," \
		    "\"role\":\"member\",\"password\":\"\"}\n",
		    member[i], now - 8640000 + i * 3600
	split("ask=Questions to everybody|c-lang=The C language|" \
	    "databases=Databases, large and small|" \
	    "design=Design: type, signs and pages|" \
	    "hardware=Hardware, to build and to repair|" \
	    "redis=Redis and what is built on it|science=Science|" \
	    "security=Keeping things safe|systems=Operating systems|" \
	    "web=The web", group, "|")
	for (i = 1; i in group; i++) {
		split(group[i], part, "=")
		printf "{\"kind\":\"group\",\"name\":\"%s\",\"title\":\"%s\"," \
		    "\"by\":\"%s\",\"created\":%d}\n", part[1], part[2],
		    member[i], now - 7000000 + i
	}
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

function text(field) {
	return field == "" ? "null" : "\"" field "\""
}

/^#/ {
	next
}

{
	posted = now - $1 * 60
	gsub(/ /, "\",\"", $2)
	up = voters(NR * 7, $3 - 1, $5)
	down = voters(NR * 7 + $3, $4, $5)
	printf("{\"kind\":\"article\",\"id\":%d,\"title\":\"%s\"," \
	    "\"url\":%s,\"text\":%s,\"author\":\"%s\",\"posted\":%d," \
	    "\"closes\":%d,\"groups\":[\"%s\"],\"up\":%d,\"down\":%d," \
	    "\"interesting\":%s,\"removed\":null,\"voters\":{\"up\":[%s]," \
	    "\"down\":[%s]}}\n", ++id, $6, text($7), text($8), $5, posted,
	    posted + 604800, $2, $3, $4,
	    ($3 >= 20) ? posted + 3600 * 3 : "null",
	    "\"" $5 "\"" up, substr(down, 2))
}
