/*
 * How long the service gives no answer, from what its members get, moment by
 * moment; in milliseconds.
 *
 * A request that gets no answer counts against the last fault until the next
 * one begins, so nothing that comes late goes unseen.
 */
import { sleep } from './support.mjs';

const QUIET = 500; /* the service is back when it answered all for so long */
const GIVE_UP = 15000;

export class Pulse {
	faults = []; /* { name, ended, answered, failed, failures } */
	longestGap = 0; /* between two answers in calm, that is, without a fault */
	#answered = performance.now();
	#calmSince = null;

	get #last() {
		return this.faults.at(-1);
	}

	answer() {
		const now = performance.now();

		this.#measureGap(now);
		this.#answered = now;
		if (this.#last?.ended)
			this.#last.answered ??= now;
	}

	failure() {
		if (this.#last === undefined)
			return;
		this.#last.failures++;
		if (this.#last.ended !== null)
			this.#last.failed = performance.now();
	}

	#measureGap(now) {
		if (this.#calmSince !== null)
			this.longestGap = Math.max(this.longestGap,
				now - Math.max(this.#answered, this.#calmSince));
	}

	begin(name) {
		this.#measureGap(performance.now());
		this.#calmSince = null;
		this.faults.push({ name, ended: null, answered: null, failed: 0,
			failures: 0 });
	}

	end() {
		this.#last.ended ??= performance.now();
	}

	/* Waits until the service has answered everything for a while. */
	async calm() {
		const { ended } = this.#last;
		const isCalm = () => this.#last.answered !== null &&
			performance.now() - Math.max(this.#last.failed, ended) > QUIET;

		while (!isCalm() && performance.now() < ended + GIVE_UP)
			await sleep(20);
		this.#calmSince = performance.now();
	}
}

/* From a fault's end until everything was answered again. */
export function recovery({ ended, answered, failed }) {
	return answered === null ? Infinity : Math.max(answered, failed) - ended;
}
