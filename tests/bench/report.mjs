/*
 * The results as tables.
 */
import { median } from './measure.mjs';

const number = (value) => value >= 100 ?
	Math.round(value).toLocaleString('en-US') : value.toPrecision(2);

/* Half of the distance from lowest to highest, in percent of the median. */
function spread(values) {
	const half = (Math.max(...values) - Math.min(...values)) / 2;

	return `±${Math.round(half / median(values) * 100)}%`;
}

function table(rows) {
	const widths = rows[0].map((_, column) =>
		Math.max(...rows.map((row) => row[column].length)));

	return rows.map((row) => row.map((cell, column) => column === 0 ?
		cell.padEnd(widths[column]) : cell.padStart(widths[column]))
		.join('  ').trimEnd()).join('\n');
}

const of = (results, name) => median(results.map((result) => result[name]));

export function rateTable(rows) {
	const lines = [['', 'requests/s', 'spread', 'p50 ms', 'p99 ms',
		'nginx us', 'workers us', 'Redis us']];

	for (const { name, results } of rows) {
		const cpu = (process) => {
			const value = median(results.map((one) => one.cpu[process]));

			return value > 0 ? value.toFixed(1) : '-';
		};

		lines.push([name, number(of(results, 'rate')),
			spread(results.map(({ rate }) => rate)),
			of(results, 'p50').toFixed(2), of(results, 'p99').toFixed(2),
			cpu('nginx'), cpu('workers'), cpu('redis')]);
	}
	return table(lines);
}

/* The ratios of two rows, one for each round. */
export function ratio(above, below) {
	return above.results.map(({ rate }, round) =>
		rate / below.results[round].rate);
}

/* Rows of [name, values, target]. */
export function ratioTable(ratios) {
	const lines = [['', 'ratio', 'spread', 'target']];

	for (const [name, values, target] of ratios)
		lines.push([name, median(values).toFixed(2), spread(values),
			target === undefined ? '' : String(target)]);
	return table(lines);
}

/* Rows of [name, value, limit]. */
export function sizeTable(sizes) {
	const lines = [['', 'value', 'limit']];

	for (const [name, value, limit] of sizes)
		lines.push([name, number(value),
			limit === undefined ? '' : Number.isInteger(limit) ?
				String(limit) : number(limit)]);
	return table(lines);
}

/* { row: { trips, commands, bytes, calls, worker, redis, nginx } }. */
export function countTable(counts) {
	const thousands = (value) => (value / 1000).toFixed(1);
	const lines = [['a request', 'trips', 'commands', 'Redis bytes',
		'system calls', 'worker ki', 'Redis ki', 'nginx ki']];

	for (const [name, { trips, commands, bytes, calls, worker, redis, nginx }] of
		Object.entries(counts))
		lines.push([name, trips.toFixed(2), commands.toFixed(2),
			bytes.toFixed(0), calls.toFixed(1), thousands(worker),
			thousands(redis), thousands(nginx)]);
	return table(lines);
}
