/*
 * Articles of a chaos run that two members flag, who are old enough to fold them, and that a moderator
 * keeps then. Afterwards what was flagged twice is folded, and what was kept is not. Only where the
 * clock can be moved.
 */
import { ACKNOWLEDGED, REFUSED, States, Turns, judgeState } from './chaos_states.mjs';

const ARTICLES = 12, ELDERS = 2, AGE = 40 * 86400; /* seconds: more than a month */

export class Folds {
	figures = { 'flags that fold': 0, 'folded posts kept': 0 };
	#ids = [];
	#elders = []; /* clients */
	#flags = new Map(); /* article -> the number that was acknowledged */
	#states = new States('open');
	#turns = new Turns();

	async join(site, history) {
		if (site.moveClock === undefined)
			return;
		site.moveClock(-AGE);
		for (let i = 0; i < ELDERS; i++)
			await site.member(`elder-${i}`);
		site.moveClock(0);
		/* Sessions of that age are over. */
		for (let i = 0; i < ELDERS; i++) {
			this.#elders.push(site.client());
			await this.#elders[i].logIn(`elder-${i}`, 'correct horse');
		}
		const client = await site.member('provoker');

		for (let i = 0; i < ARTICLES; i++) {
			const title = `Provoking ${i}`;

			history.notePosting(title, 'provoker');
			this.#ids.push(await client.submit({ title, text: title }));
			history.notePosted(title, '', undefined);
		}
	}

	/* What a moderator may do next, or an elder, whoever does it; undefined when there is nothing. */
	decide(moderator) {
		const left = this.#ids.filter((id) => !this.#states.of(id).has('kept') &&
			!this.#turns.has(id));
		const id = left.length > 0 ? moderator.random.pick(left) : undefined;

		return id === undefined ? undefined : () => this.#turns.take(id, () =>
			this.#states.of(id).has('folded') ? this.#keep(moderator, id) :
				this.#flag(moderator, id));
	}

	async #flag(moderator, id) {
		const count = this.#flags.get(id) ?? 0;
		const isLast = count + 1 === ELDERS;
		const outcome = await moderator.change(`/articles/${id}/flag`, { reason: 'spam' },
			new RegExp(`^/articles/${id}`), () => {}, this.#elders[count]);

		if (isLast)
			this.#states.note(id, 'folded', outcome);
		if (outcome === ACKNOWLEDGED) {
			this.#flags.set(id, count + 1);
			this.figures['flags that fold']++;
		}
		return outcome;
	}

	async #keep(moderator, id) {
		if (this.#states.of(id).size > 1)
			return REFUSED;
		const outcome = await moderator.change(`/articles/${id}/dismiss`, {},
			`/articles/${id}`);

		this.#states.note(id, 'kept', outcome);
		this.figures['folded posts kept'] += outcome === ACKNOWLEDGED;
		return outcome;
	}

	/* What a dump has. */
	judge({ articles }) {
		const found = { lost: [], doubled: [] };

		for (const id of this.#ids) {
			const { folded, kept } = articles.find((one) => one.id === id) ?? {};

			judgeState(`the flagged article ${id}`, this.#states.of(id),
				folded != null ? 'folded' : kept != null ? 'kept' : 'open', found);
		}
		return found;
	}
}
