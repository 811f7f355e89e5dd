import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { isNamed } from './is-named.ts'

const KEPT_DAYS = 90
const MOST_KEPT = 50

/** Where somebody signs in: the network they come from, and their browser if it has our cookie. */
export type Place = { address: string; device: string | undefined }

export function placeOf(ip: string | undefined, deviceCookie: string | undefined): Place {
  return {
    address: `address ${networkOf(ip)}`,
    device: deviceCookie ? `device ${hashOf(deviceCookie)}` : undefined,
  }
}

/** The browser rather than the address: colleagues and attackers may share an address. */
export async function knownPlace(db: Kysely<Tables>, username: string, place: Place) {
  const candidates = [place.device, place.address].filter((one) => one !== undefined)
  const rows = await db
    .selectFrom('sign_in_places')
    .innerJoin('users', 'users.id', 'sign_in_places.user_id')
    .select('place')
    .where(isNamed(username))
    .where('place', 'in', candidates)
    .where('last_at', '>', sql<Date>`now() - ${KEPT_DAYS} * interval '1 day'`)
    .execute()
  const known = new Set(rows.map((row) => row.place))
  return candidates.find((one) => known.has(one))
}

export async function rememberPlace(db: Kysely<Tables>, userId: string, place: Place) {
  const places = [place.device, place.address].filter((one) => one !== undefined)
  await db
    .insertInto('sign_in_places')
    .values(places.map((one) => ({ user_id: userId, place: one })))
    .onConflict((again) =>
      again.columns(['user_id', 'place']).doUpdateSet({ last_at: sql<Date>`now()` }),
    )
    .execute()
  await sql`
    DELETE FROM sign_in_places WHERE user_id = ${userId} AND place NOT IN (
      SELECT place FROM sign_in_places WHERE user_id = ${userId}
      ORDER BY last_at DESC LIMIT ${MOST_KEPT}
    )`.execute(db)
}

/** Who has one IPv6 address has at least the 2^64 of its network; who has gone by now has none. */
export function networkOf(ip: string | undefined = ''): string {
  const plain = ip
    .toLowerCase()
    .replace(/^::ffff:(?=\d+\.)/, '')
    .replace(/%.*$/, '')
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = plain.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail ? tail.split(':') : []
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  const groups = [...before, ...Array<string>(Math.max(0, zeros)).fill('0'), ...after]
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}

const hashOf = (cookie: string) => createHash('sha256').update(cookie).digest('base64url')
