/*
 * The members of a chaos run: each does one thing after another over HTTP, and
 * presses the button again when no page comes.
 */
import http from 'node:http';

import { ACKNOWLEDGED, REFUSED, UNKNOWN } from './chaos_states.mjs';
import { Commenter } from './chaos_commenters.mjs';
import { csrfOf, sleep } from './support.mjs';

/* Authors file their articles in these, and moderators take each out of the last one. */
const FILED = ['chess', 'cooking', 'rivers', 'trains'];
const TAKEN = 'lakes';

export const GROUPS = [...FILED, TAKEN];

/* Milliseconds. nginx gives up earlier, so that there is an answer to judge. */
const TIMEOUT = 20000;
const RECENT = 30; /* the newest articles, which are voted on */
const PAUSE = { min: 20, range: 100 }; /* milliseconds between two actions */

export class Member {
	#agent = new http.Agent({ keepAlive: true });
	#again = null; /* the action that got no answer */
	#own = []; /* ids of the member's own articles */
	#posts = 0;

	constructor(name, client, world) {
		const { site, history, applications, spammers, recovery, factors, newcomers,
			chances, appointments, folds, availability, random } = world;

		Object.assign(this, { name, client, site, history, applications, spammers,
			recovery, factors, newcomers, chances, appointments, folds,
			availability, random });
		this.commenter = new Commenter(this, world);
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

		if (this.role !== undefined && this.random.chance(40))
			return this.#keepingOrder(articles);
		return this.#choosePlain(articles, percent);
	}

	#choosePlain(articles, percent) {
		if (articles.length === 0 || percent < 2)
			return this.#posting();
		if (percent < 5)
			return () => this.#read();
		if (percent < 7)
			return () => this.#search(this.random.pick(articles));
		if (percent < 8)
			return this.#visiting();
		if (percent < 14 && this.#own.length > 0)
			return this.#filing(this.random.pick(this.#own));
		if (percent < 15 && this.#own.length > 0)
			return this.#withdrawing(this.#own.at(-1));
		if (percent < 50)
			return this.commenter.choose(articles);
		return this.#voting(this.random.pick(articles));
	}

	/* A vote on one's own article changes nothing, and is not recorded. */
	#voting({ id, author }) {
		const isOwn = author === this.name;
		const vote = this.random.pick(['up', 'up', 'down', 'none']);

		return async () => {
			const { epoch } = this.history;
			const wasOut = this.history.isOut(this.name);
			const outcome = await this.change(`/articles/${id}/vote`,
				{ vote }, `/articles/${id}#article-${id}`);

			if (wasOut && outcome === ACKNOWLEDGED &&
				this.history.isOut(this.name))
				this.history.wrong.push(`${this.name} voted, but is suspended`);
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
		const group = this.random.pick(FILED);
		const place = this.random.pick(['in', 'out']);

		return async () => {
			const outcome = await this.change(`/articles/${id}/groups`,
				{ [place === 'in' ? 'add' : 'remove']: group },
				`/articles/${id}`);

			this.history.notePlace(id, group, place, outcome);
			return outcome;
		};
	}

	#withdrawing(id) {
		return async () => {
			const outcome = await this.change(`/articles/${id}/withdraw`, {},
				`/articles/${id}`);

			this.history.noteWithdrawal(id, outcome);
			return outcome;
		};
	}

	/* What others than members do: a visitor applies for registration, recovers an account or
	 * logs in, and a newcomer posts. */
	#visiting() {
		const accounts = this.random.pick([this.recovery, this.factors, this.newcomers]);
		const action = this.random.chance(60) ?
			accounts.choose(this, this.site.client()) : undefined;

		if (action !== undefined)
			return action;
		return this.applications.hasRoom ? this.#applying() : () => this.#read();
	}

	#applying() {
		const visitor = this.site.client();
		const name = this.applications.begin();

		return async () => {
			const outcome = await this.change('/apply', { username: name,
				password: 'correct horse', answer: `I am ${name}.` }, '/apply',
			() => {}, visitor);

			this.applications.note(name, 'waiting', outcome);
			return outcome;
		};
	}

	/* On an application. */
	#deciding(name) {
		const [what, state] = this.random.pick([['accept', 'member'],
			['decline', 'declined']]);

		return async () => {
			const outcome = await this.change(`/u/${name}/${what}`, {},
				'/moderation');

			this.applications.note(name, state, outcome);
			return outcome;
		};
	}

	/* Actions of a moderator: each has its share of the articles, one has the
	 * members who may be suspended, and the applications, another has those who have
	 * posted spam, and another what newcomers posted, and second chances. */
	#keepingOrder(articles) {
		const { share, of, sleepers } = this.role;
		const mine = articles.filter(({ id, author }) =>
			id % of === share && author !== this.name);

		if (share === 0 && this.random.chance(20) &&
			this.applications.waiting.length > 0)
			return this.#deciding(this.random.pick(this.applications.waiting));
		if (sleepers.length > 0 && this.random.chance(30))
			return this.#suspending(this.random.pick(sleepers));
		if (share === 1 && this.random.chance(40))
			return this.spammers.choose(this);
		if (share === 2 && this.random.chance(40))
			return this.#looking();
		if (mine.length === 0)
			return () => this.#read();
		if (this.random.chance(50))
			return this.commenter.keepOrder(mine);
		if (this.random.chance(20))
			return this.#takingOut(this.random.pick(mine));
		if (this.random.chance(10))
			return this.#removingSome(mine);
		return this.random.chance(30) ?
			this.#removing(this.random.pick(mine)) :
			this.#voiding(this.random.pick(mine));
	}

	#looking() {
		const queue = this.random.pick([this.newcomers, this.chances, this.folds]);

		if (this.random.chance(30))
			return this.appointments.choose(this);
		return queue.decide(this) ?? (() => this.#read());
	}

	#removing({ id }) {
		const place = this.random.pick(['there', 'removed']);

		return async () => {
			const outcome = await this.change(
				`/articles/${id}/${place === 'removed' ? 'remove' : 'restore'}`,
				{}, `/articles/${id}`);

			this.history.noteRemoval(id, place, outcome);
			return outcome;
		};
	}

	/* Several at once, which were selected in a list. Where one could not be removed the answer names it,
	 * and each of them may be either way. */
	#removingSome(mine) {
		const ids = [...new Set(mine.slice(-5).map(({ id }) => id))];
		const selected = Object.fromEntries(ids.map((id) => [`post-${id}`, 'on']));

		return async () => {
			const outcome = await this.change('/moderation/posts', { ...selected,
				do: 'remove', shown: Math.floor(Date.now() / 1000),
				return_to: '/new' }, '/new');

			for (const id of ids)
				this.history.noteRemoval(id, 'removed',
					outcome === ACKNOWLEDGED ? outcome : UNKNOWN);
			if (outcome === ACKNOWLEDGED)
				this.history.batches++;
			return outcome;
		};
	}

	#takingOut({ id }) {
		const place = this.random.pick(['in', 'out']);

		return async () => {
			const outcome = await this.change(`/g/${TAKEN}/articles/${id}`,
				{ do: place === 'in' ? 'back' : 'out' }, `/articles/${id}`);

			this.history.noteBarrier(id, TAKEN, place, outcome);
			return outcome;
		};
	}

	/* On a vote that counts, or is void. */
	#voiding({ id }) {
		const { history } = this;
		const voters = history.members.filter((name) =>
			!history.votesOf(name, id).has('none'));
		const voiding = this.random.pick(['counted', 'void']);

		if (voters.length === 0)
			return () => this.#read();
		const member = this.random.pick(voters);

		return async () => {
			history.beginVoiding(member, id);
			const outcome = await this.change(`/articles/${id}/void`,
				{ member, wanted: voiding === 'void' ? 'void' : 'count' },
				`/articles/${id}`);

			history.noteVoiding(member, id, voiding, outcome);
			return outcome;
		};
	}

	#suspending(name) {
		const standing = this.random.pick(['in', 'out']);

		return async () => {
			/* Either, until there is an answer. */
			this.history.noteStanding(name, standing, UNKNOWN);
			const outcome = await this.change(`/u/${name}/suspend`,
				{ days: standing === 'out' ? '0' : '' },
				`/u/${name}`);

			this.history.noteStanding(name, standing, outcome);
			return outcome;
		};
	}

	/* A link or a text; on some of them the member double-clicks. */
	#posting() {
		const title = `${this.name}'s ${++this.#posts}`;
		const groups = `${this.random.pick(FILED)} ${TAKEN}`;
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
		const outcome = await this.change('/submit', fields,
			/^\/articles\/(\d+)$/, (found) => { id = +found[1]; });

		if (id !== undefined && !this.#own.includes(id))
			this.#own.push(id);
		this.history.notePosted(fields.title, fields.groups, id);
		return outcome;
	}

	async #read() {
		const answer = await this.look('/');

		if (answer !== null && answer.status !== 200)
			this.#note(answer, '/');
	}

	/* The articles of a member. Searching may be away while all else works, so it says
	 * nothing of the site's availability. */
	async #search({ author }) {
		const answer = await this.client.get(
			`/search?q=author%3A${author}+is%3Aarticle`, this.#options())
			.catch(() => ({ status: 503 }));

		if (![200, 303, 503].includes(answer.status))
			this.#note(answer, '/search');
		this.history.noteSearch(author, answer);
	}

	/* The member's own vote, in a list, whichever worker answers; unless the clock
	 * was moved meanwhile: who voted is forgotten when voting has closed. */
	async #lookFor(id, vote, epoch) {
		const begun = this.history.voidingsBegun(this.name, id);
		const answer = await this.look('/?order=new');
		const line = answer?.status === 200 ? answer.body.match(
			new RegExp(`data-id="${id}".*?data-vote="(\\w+)"`)) : null;

		/* It may be void by now, or who voted logged out. */
		if (line === null || !answer.body.includes('/logout') ||
			epoch !== this.history.epoch ||
			this.history.voidingsOf(this.name, id).has('void') ||
			this.history.voidingsBegun(this.name, id) !== begun)
			return;
		this.history.seen++;
		if (line[1] !== vote)
			this.history.unseen.push(
				`${this.name} on ${id}: ${vote}, but ${line[1]} is shown`);
	}

	/* A page: null when there is no answer. */
	async look(path) {
		const answer = await this.#send(() => this.client.get(path,
			this.#options()));

		this.history.requests[answer === null ? UNKNOWN : 'reads']++;
		return answer;
	}

	/* Sends a form, which has succeeded when it redirects to the place; a visitor's has its page at
	 * the same address. */
	async change(target, fields, place, found = () => {}, visitor = undefined) {
		const answer = await this.#send(() => (visitor ?? this.client).post(target,
			fields, { ...this.#options(),
				...visitor !== undefined && { from: target } }));
		const where = answer?.headers.location?.match(place instanceof RegExp ?
			place : `^${place}$`);
		let outcome = UNKNOWN;

		if (this.sleeps && answer?.headers.location?.startsWith('/login')) {
			await this.#comeBack();
			outcome = REFUSED;
		} else if (answer?.status === 303 && where) {
			outcome = ACKNOWLEDGED;
			found(where);
		} else if (answer?.status >= 400)
			outcome = REFUSED;
		else if (answer !== null)
			this.#note(answer, target);
		this.history.requests[outcome]++;
		return outcome;
	}

	/* Logs in again after the end of a session, unless still suspended. */
	async #comeBack() {
		const password = 'correct horse';
		const log = await this.#send(async () => this.client.post('/login',
			{ username: this.name, password },
			{ from: '/login', ...this.#options() })).catch(() => null);

		if (log?.status !== 303)
			return;
		const page = await this.#send(() => this.client.get('/',
			this.#options()));

		if (page?.status === 200)
			this.client.token = csrfOf(page.body);
	}

	/* The answer; null when there is none, or the site says that it is down. */
	async #send(request) {
		const answer = await request().catch(() => null);

		if (answer === null || answer.status >= 500) {
			this.availability.failure();
			return null;
		}
		this.availability.answer();
		return answer;
	}

	#note({ status, headers }, target) {
		this.history.wrong.push(`${this.name} at ${target}: ${status} ` +
			`${headers.location ?? ''}`);
	}

	#options() {
		return { agent: this.#agent, signal: AbortSignal.timeout(TIMEOUT) };
	}
}
