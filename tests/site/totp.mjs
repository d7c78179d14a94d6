/*
 * What an authenticator app shows (RFC 6238).
 */
import { createHmac } from 'node:crypto';

/* The code of a secret in base32, so many steps of 30 seconds from now. */
export function totp(secret, steps = 0) {
	const bits = [...secret].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
		.indexOf(letter).toString(2).padStart(5, '0')).join('');
	const moment = Buffer.alloc(8);

	moment.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30000) + steps));
	const hash = createHmac('sha1', Buffer.from(bits.match(/.{8}/g)
		.map((byte) => parseInt(byte, 2)))).update(moment).digest();
	const number = hash.readUInt32BE(hash[19] & 15) & 0x7fffffff;

	return String(number % 1000000).padStart(6, '0');
}
