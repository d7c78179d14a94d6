/*
 * The members of a chaos run: each does one thing after another over HTTP, like
 * somebody who presses the button again when no page comes.
 */
import http from 'node:http';

import { ACKNOWLEDGED, REFUSED, UNKNOWN } from './chaos_history.mjs';
import { sleep } from './support.mjs';

export const GROUPS = ['chess', 'cooking', 'rivers', 'trains'];

/* Milliseconds. nginx gives up earlier, so that there is an answer to judge. */
const PATIENCE = 20000;
const RECENT = 30; /* the newest articles, which are voted on */
const PAUSE = { min: 20, range: 100 }; /* milliseconds between two actions */

export class Member {
	#agent = new http.Agent({ keepAlive: true });
	#again = null; /* the action that got no answer */
	#own = []; /* ids of the member's own articles */
	#posts = 0;

	constructor(name, client, { history, pulse, random }) {
		Object.assign(this, { name, client, history, pulse, random });
	}

	async live(isOver) {
		while (!isOver()) {
			await this.#act();
			await sleep(PAUSE.min + this.random.below(PAUSE.range));
		}
		this.#agent.destroy();
	}

	async #act() {
		const action = this.#again !== null && this.random.chance(70) ?
			this.#again : this.#choose();

		this.#again = await action() === UNKNOWN ? action : null;
	}

	#choose() {
		const articles = this.history.articles.slice(-RECENT);
		const percent = this.random.below(100);

		if (articles.length === 0 || percent < 2)
			return this.#posting();
		if (percent < 6)
			return () => this.#read();
		if (percent < 14 && this.#own.length > 0)
			return this.#filing(this.random.pick(this.#own));
		return this.#voting(this.random.pick(articles));
	}

	/* On what is the member's own nothing is to change: it is not noted. */
	#voting({ id, author }) {
		const isOwn = author === this.name;
		const vote = this.random.pick(['up', 'up', 'down', 'none']);

		return async () => {
			const { epoch } = this.history;
			const outcome = await this.#change(`/articles/${id}/vote`,
				{ vote }, `/articles/${id}#article-${id}`);

			if (isOwn && outcome === ACKNOWLEDGED)
				this.history.wrong.push(`${this.name} voted on ${id}, their own`);
			if (isOwn)
				return outcome;
			this.history.noteVote(this.name, id, vote, outcome);
			if (outcome === ACKNOWLEDGED && this.random.chance(20))
				await this.#lookFor(id, vote, epoch);
			return outcome;
		};
	}

	#filing(id) {
		const group = this.random.pick(GROUPS);
		const place = this.random.pick(['in', 'out']);

		return async () => {
			const outcome = await this.#change(`/articles/${id}/groups`,
				{ [place === 'in' ? 'add' : 'remove']: group },
				`/articles/${id}`);

			this.history.notePlace(id, group, place, outcome);
			return outcome;
		};
	}

	/* A link or a text; on some of them the member double-clicks. */
	#posting() {
		const title = `${this.name}'s ${++this.#posts}`;
		const groups = this.random.pick(GROUPS);
		const clicks = this.random.chance(30) ? 2 : 1;
		const fields = { title, groups, ...this.random.chance(50) ?
			{ text: title } :
			{ url: `http://site.example/${this.name}/${this.#posts}` } };

		return async () => {
			this.history.notePosting(title, this.name);
			const outcomes = await Promise.all(
				Array.from({ length: clicks }, () => this.#post(fields)));

			return outcomes.includes(ACKNOWLEDGED) ? ACKNOWLEDGED :
				outcomes[0];
		};
	}

	async #post(fields) {
		let id;
		const outcome = await this.#change('/submit', fields,
			/^\/articles\/(\d+)$/, (found) => { id = +found[1]; });

		if (id !== undefined && !this.#own.includes(id))
			this.#own.push(id);
		this.history.notePosted(fields.title, fields.groups, id);
		return outcome;
	}

	async #read() {
		const answer = await this.#send(() => this.client.get('/',
			this.#options()));

		if (answer !== null && answer.status !== 200)
			this.#note(answer, '/');
		this.history.requests[answer === null ? UNKNOWN : 'reads']++;
	}

	/* The member's own vote, in a list, whichever worker answers; unless the clock
	 * was moved meanwhile: who voted is forgotten when voting has closed. */
	async #lookFor(id, vote, epoch) {
		const answer = await this.#send(() => this.client.get('/?order=new',
			this.#options()));
		const line = answer?.status === 200 ? answer.body.match(
			new RegExp(`data-id="${id}".*?data-vote="(\\w+)"`)) : null;

		if (line === null || epoch !== this.history.epoch)
			return;
		this.history.seen++;
		if (line[1] !== vote)
			this.history.unseen.push(
				`${this.name} on ${id}: ${vote}, but ${line[1]} is shown`);
	}

	/* Sends a form, which has succeeded when it redirects to the place. */
	async #change(target, fields, place, found = () => {}) {
		const answer = await this.#send(() => this.client.post(target, fields,
			this.#options()));
		const where = answer?.headers.location?.match(place instanceof RegExp ?
			place : `^${place}$`);
		let outcome = UNKNOWN;

		if (answer?.status === 303 && where) {
			outcome = ACKNOWLEDGED;
			found(where);
		} else if (answer?.status >= 400)
			outcome = REFUSED;
		else if (answer !== null)
			this.#note(answer, target);
		this.history.requests[outcome]++;
		return outcome;
	}

	/* The answer; null when there is none, or the site says that it is down. */
	async #send(request) {
		const answer = await request().catch(() => null);

		if (answer === null || answer.status >= 500) {
			this.pulse.failure();
			return null;
		}
		this.pulse.answer();
		return answer;
	}

	#note({ status, headers }, target) {
		this.history.wrong.push(`${this.name} at ${target}: ${status} ` +
			`${headers.location ?? ''}`);
	}

	#options() {
		return { agent: this.#agent, signal: AbortSignal.timeout(PATIENCE) };
	}
}
