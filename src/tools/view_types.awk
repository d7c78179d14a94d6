# Writes the field tables of the models, from their structs, so that a member is
# declared once:
#
#	awk -f view_types.awk src/views/templates.h src/views/*.h ... >types.inc
#
# Reads the rows of templates.h for the models, and the headers for their structs;
# writes a struct mustache_type for each model and each struct that it contains,
# the contained ones first, after an #include of each header of views. The tables name the members through the compiler
# (MUSTACHE_PLAIN and the like), so one that is read wrongly does not compile, and a
# declaration that is not understood is an error here.

function fail(why) {
	print "src/views/templates.h: " why >"/dev/stderr"
	failed = 1
	exit 1
}

# Without comments, on one line.
function plain(code) {
	gsub(/\/\*([^*]|\*+[^*\/])*\*+\//, "", code)
	gsub(/[ \t]+/, " ", code)
	return code
}

# "struct text" -> "text_type"; views.c has those of plain values.
function type_of(declared) {
	sub(/^struct (mustache_)?/, "", declared)
	return declared "_type"
}

function emit_struct(name,    count, members, i, table) {
	if (name in emitted || name ~ /^(text|mustache_html|no_model)$/)
		return
	emitted[name] = 1
	if (!(name in bodies))
		fail("no header of src/views or src/lists has struct " name)
	count = split(bodies[name], members, ";")
	for (i = 1; i < count; i++)
		table = table rows_of(name, members[i])
	print "static const struct mustache_field " name "_fields[] = {\n" table "};"
	printf "static const struct mustache_type %s_type =\n", name
	printf "    MUSTACHE_TYPE(struct %s, %s_fields);\n\n", name, name
}

# The rows of one declaration, which may be of several members.
function rows_of(name, declaration,    type, names, names_at, count, i, format, rows) {
	gsub(/^ +| +$/, "", declaration)
	if (declaration ~ /^[A-Z_]+\(FORM_MEMBER[^)]*\)$/) {
		emit_struct("input")
		sub(/FORM_MEMBER/, "FORM_SHOWN", declaration)
		return "\t" declaration "\n"
	}
	if (match(declaration, /^LIST\([^)]*\) /)) {
		names_at = RLENGTH + 1
		type = substr(declaration, 6, RLENGTH - 7)
		format = "\tMUSTACHE_ITEMS(struct %s, %s, &" type_of(type) "),\n"
		if (type ~ /^struct /)
			emit_struct(substr(type, 8))
	} else if (match(declaration, /^(bool|u?int64_t|struct text|struct mustache_html) /)) {
		names_at = RLENGTH + 1
		format = "\tMUSTACHE_PLAIN(struct %s, %s),\n"
	} else if (match(declaration, /^struct [a-z_]+ /)) {
		names_at = RLENGTH + 1
		type = substr(declaration, 8, RLENGTH - 8)
		format = "\tMUSTACHE_STRUCT(struct %s, %s, &" type "_type),\n"
		emit_struct(type)
	} else {
		fail("struct " name ": a template cannot show \"" declaration "\"")
	}
	count = split(substr(declaration, names_at), names, / *, */)
	for (i = 1; i <= count; i++)
		rows = rows sprintf(format, name, names[i])
	return rows
}

FNR == 1 && FILENAME ~ /^src\/views\// && FILENAME !~ /templates\.h$/ {
	print "#include \"" substr(FILENAME, 5) "\""
}
FILENAME ~ /templates\.h$/ { table = table " " $0 }
{ source = source " " $0 }

END {
	if (failed)
		exit 1
	source = plain(source)
	while (match(source, /struct [a-z_]+ \{[^}]*\}/)) {
		declared = substr(source, RSTART + 7, RLENGTH - 8)
		source = substr(source, RSTART + RLENGTH)
		name = declared
		sub(/ .*/, "", name)
		sub(/^[^{]*\{/, "", declared)
		# A form's members are the rows of a macro, without a semicolon.
		bodies[name] = declared ~ /\(FORM_MEMBER/ ? declared ";" : declared
	}
	emit_struct("layout")
	table = plain(table)
	while (match(table, /(VIEW|FRAGMENT)\([a-z_]+, [a-z_]+/)) {
		name = substr(table, RSTART, RLENGTH)
		table = substr(table, RSTART + RLENGTH)
		sub(/.* /, "", name)
		emit_struct(name)
	}
}
