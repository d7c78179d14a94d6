/*
 * Articles of a chaos run that are old enough for a second chance, which one moderator gives them.
 * Only where the clock can be moved.
 */
import { ACKNOWLEDGED, States, judgeState } from './chaos_states.mjs';

const ARTICLES = 10, AGE = 13 * 3600; /* seconds: more than half a day */

export class SecondChances {
	figures = { 'second chances': 0 };
	#ids = [];
	#states = new States('none');

	async join(site, history) {
		if (site.moveClock === undefined)
			return;
		const client = await site.member('veteran');

		site.moveClock(-AGE);
		for (let i = 0; i < ARTICLES; i++) {
			const title = `Overlooked ${i}`;

			history.notePosting(title, 'veteran');
			this.#ids.push(await client.submit({ title, text: title }));
			history.notePosted(title, '', undefined);
		}
		site.moveClock(0);
	}

	/* What a moderator may do next; undefined when there is nothing. */
	decide(moderator) {
		const waiting = this.#ids.filter((id) => this.#states.of(id).has('none'));
		const id = waiting.length > 0 ? moderator.random.pick(waiting) : undefined;

		return id === undefined ? undefined : async () => {
			const outcome = await moderator.change(`/articles/${id}/again`, {},
				`/articles/${id}`);

			this.#states.note(id, 'given', outcome);
			this.figures['second chances'] += outcome === ACKNOWLEDGED;
			return outcome;
		};
	}

	/* What a dump has. */
	judge({ articles }) {
		const found = { lost: [], doubled: [] };

		for (const id of this.#ids) {
			const { again } = articles.find((article) => article.id === id) ?? {};

			judgeState(`the second chance of ${id}`, this.#states.of(id),
				again == null ? 'none' : 'given', found);
		}
		return found;
	}
}
