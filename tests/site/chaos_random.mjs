/*
 * Random numbers that a seed repeats: a linear congruential generator of 48
 * bits, of which the upper 32 are used.
 */
export class Random {
	#state;

	constructor(seed) {
		this.#state = BigInt(seed);
		this.below(1);
	}

	/* An integer from 0 up to, but not including, bound. */
	below(bound) {
		this.#state = (this.#state * 0x5deece66dn + 11n) & 0xffffffffffffn;
		return Math.floor(Number(this.#state >> 16n) / 2 ** 32 * bound);
	}

	chance(percent) {
		return this.below(100) < percent;
	}

	pick(list) {
		return list[this.below(list.length)];
	}

	shuffled(list) {
		const left = [...list];

		return list.map(() => left.splice(this.below(left.length), 1)[0]);
	}
}
