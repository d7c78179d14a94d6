/*
 * A stand-in for the search process: answers every search as the test says, also with faults.
 */
import fs from 'node:fs';
import net from 'node:net';

const bulk = (text) => `$${Buffer.byteLength(text)}\r\n${text}\r\n`;

/* Takes whole commands from the front of the bytes: [words of each, the rest]. */
function commandsIn(bytes) {
	const commands = [];

	for (;;) {
		let at = bytes.indexOf('\r\n');
		const words = [];

		if (at < 0)
			return [commands, bytes];
		for (let left = +bytes.subarray(1, at), from = at + 2; left > 0; left--) {
			const end = bytes.indexOf('\r\n', from);
			const size = +bytes.subarray(from + 1, end);

			if (end < 0 || bytes.length < end + 4 + size)
				return [commands, bytes];
			words.push(bytes.toString('utf8', end + 2, end + 2 + size));
			at = from = end + 4 + size;
		}
		commands.push(words);
		bytes = bytes.subarray(at);
	}
}

/* The answer that it found these ids. */
export const found = (ids, outcome = 'exact', total = ids.length) =>
	`*3\r\n${bulk(outcome)}:${total}\r\n*${ids.length}\r\n${ids.map(bulk).join('')}`;

export class SearchStub {
	answer = () => found([]); /* of the words of a SEARCH; undefined: silent */
	asked = [];
	sockets = new Set();

	async start(path) {
		fs.rmSync(path, { force: true }); /* another one's */
		this.server = net.createServer((socket) => {
			let bytes = Buffer.alloc(0);

			this.sockets.add(socket);
			socket.on('error', () => {});
			socket.on('close', () => this.sockets.delete(socket));
			socket.on('data', (data) => {
				let commands;

				[commands, bytes] = commandsIn(Buffer.concat([bytes, data]));
				for (const words of commands)
					this.#serve(socket, words);
			});
		});
		await new Promise((resolve) => this.server.listen(path, resolve));
		/* The workers are of another user if root runs the tests. */
		fs.chmodSync(path, 0o777);
	}

	#serve(socket, words) {
		if (words[0] === 'PING') {
			socket.write('+PONG\r\n');
		} else if (words[0] === 'STATE') {
			socket.write(`*2\r\n${bulk('building')}:43\r\n`);
		} else {
			this.asked.push(words);
			const answer = this.answer(words);

			if (answer !== undefined)
				socket.write(answer);
		}
	}

	/* Ends it as a kill does. */
	async stop() {
		for (const socket of this.sockets)
			socket.destroy();
		await new Promise((resolve) => this.server.close(resolve));
	}
}
