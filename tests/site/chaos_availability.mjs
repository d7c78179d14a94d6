/*
 * Outages in milliseconds, as members see them.
 *
 * A request without an answer counts against the last fault until the next one
 * begins, so late failures are counted as well.
 */
import { sleep } from './support.mjs';

const QUIET = 500; /* the service is back once it has answered all for so long */
const MAX_WAIT = 30000;

export class Availability {
	/* { name, began, ended, answered, failed, failing, failures }: failing is the
	 * time from the beginning to the last failure. */
	faults = [];
	longestGap = 0; /* between two answers while there was no fault */
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
		this.#last.failing = performance.now() - this.#last.began;
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
		this.faults.push({ name, began: performance.now(), ended: null,
			answered: null, failed: 0, failing: 0, failures: 0 });
	}

	end() {
		this.#last.ended ??= performance.now();
	}

	/* Waits until the service has answered everything for a while, or time is up;
	 * recovery() then has the duration. */
	async calm() {
		const { ended } = this.#last;
		const isCalm = () => this.#last.answered !== null &&
			performance.now() - Math.max(this.#last.failed, ended) > QUIET;

		while (!isCalm() && performance.now() < ended + MAX_WAIT)
			await sleep(20);
		this.#calmSince = performance.now();
	}
}

/* The time from a fault's end until everything was answered again. */
export function recovery({ ended, answered, failed }) {
	return answered === null ? Infinity : Math.max(answered, failed) - ended;
}
