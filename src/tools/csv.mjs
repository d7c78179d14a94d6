/*
 * Parses CSV (RFC 4180): a quoted field may have commas, line ends, and doubled
 * quotes.
 */

/* Text that no match of the pattern covers is an error in the file. */
function rowsOf(text) {
	const pattern = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r?\n|$)/y;
	const rows = [];
	let row = [];

	while (pattern.lastIndex < text.length || row.length > 0) {
		const start = pattern.lastIndex;
		const match = pattern.exec(text);

		if (match === null)
			throw new Error(`no field begins at character ${start}`);
		const [, field, end] = match;

		row.push(field.startsWith('"') ?
			field.slice(1, -1).replaceAll('""', '"') : field);
		if (end !== ',') {
			rows.push(row);
			row = [];
		}
	}
	return rows;
}

/*
 * The rows after the first, each as an object with the names in the first as its
 * keys. Where columns are given, the first row has to be these.
 */
export function readCsv(text, columns) {
	const [names = [], ...rows] = rowsOf(text);

	if (columns !== undefined && names.join() !== columns.join())
		throw new Error(`the columns are not ${columns}`);
	return rows.map((row, index) => {
		if (row.length !== names.length)
			throw new Error(`row ${index + 2} has ${row.length} fields`);
		return Object.fromEntries(names.map((name, i) => [name, row[i]]));
	});
}
