import { isPerson, isPublicAddress } from './indicator-kinds.ts'

export type Logon = {
  id: string
  at: number
  host: string | null
  user: string | null
  from: string | null
  ok: boolean
}

export type Trouble = {
  kind: 'spray' | 'guessed' | 'two_places'
  key: string
  user: string | null
  host: string | null
  from: string | null
  claim: string
  weight: number
  techniques: string[]
  logIds: string[]
}

const WINDOW_MS = 10 * 60_000
const SPRAYED = 10
const GUESSES = 5
const MOST_CITED = 20

/** Oldest first in; what these logons say about attacks on accounts. */
export function logonTrouble(logons: Logon[]): Trouble[] {
  return [...sprays(logons), ...guessed(logons), ...twoPlaces(logons)]
}

function* sprays(logons: Logon[]): Iterable<Trouble> {
  const failed = logons.filter(({ ok, from, user }) => !ok && from !== null && isPerson(user))
  for (const [from, tries] of Map.groupBy(failed, (one) => one.from as string)) {
    const burst = within(tries, (some) => new Set(some.map(({ user }) => user)).size >= SPRAYED)
    if (!burst) continue
    const users = new Set(burst.map(({ user }) => user))
    yield {
      kind: 'spray',
      key: `spray:${from}:${dayOf(burst)}`,
      user: null,
      host: burst[0]?.host ?? null,
      from,
      claim: `${from} tried the passwords of ${users.size} accounts within ten minutes`,
      weight: 60,
      techniques: ['T1110.003'],
      logIds: idsOf(burst),
    }
  }
}

function* guessed(logons: Logon[]): Iterable<Trouble> {
  const named = logons.filter(({ user, from }) => isPerson(user) && from !== null)
  for (const [, some] of Map.groupBy(named, ({ user, from }) => `${user} ${from}`)) {
    const entry = some.find((one, index) => {
      const before = some.slice(0, index).filter(({ ok, at }) => !ok && at > one.at - WINDOW_MS)
      return one.ok && before.length >= GUESSES
    })
    if (!entry) continue
    const guesses = some.filter(({ ok, at }) => !ok && at <= entry.at && at > entry.at - WINDOW_MS)
    yield {
      kind: 'guessed',
      key: `guessed:${entry.user}:${entry.from}:${dayOf([entry])}`,
      user: entry.user,
      host: entry.host,
      from: entry.from,
      claim: `${entry.user} was let in from ${entry.from} after ${guesses.length} wrong passwords`,
      weight: 85,
      techniques: ['T1110.001', 'T1078'],
      logIds: idsOf([...guesses, entry]),
    }
  }
}

/** From two networks of the outside within ten minutes; our own addresses change with the room. */
function* twoPlaces(logons: Logon[]): Iterable<Trouble> {
  const inside = logons.filter(
    ({ ok, user, from }) => ok && isPerson(user) && from !== null && isPublicAddress(from),
  )
  for (const [user, entries] of Map.groupBy(inside, (one) => one.user as string)) {
    const pair = within(entries, (some) => new Set(some.map(networkOf)).size >= 2)
    if (!pair) continue
    const places = [...new Set(pair.map(({ from }) => from))]
    yield {
      kind: 'two_places',
      key: `places:${user}:${dayOf(pair)}`,
      user,
      host: pair[0]?.host ?? null,
      from: places[0] ?? null,
      claim: `${user} came from ${places.join(' and ')} within ten minutes`,
      weight: 55,
      techniques: ['T1078'],
      logIds: idsOf(pair),
    }
  }
}

/** The first stretch of ten minutes for which it holds. */
function within(logons: Logon[], holds: (some: Logon[]) => boolean): Logon[] | undefined {
  let first = 0
  for (const [index, { at }] of logons.entries()) {
    while ((logons[first]?.at ?? at) <= at - WINDOW_MS) first += 1
    const some = logons.slice(first, index + 1)
    if (holds(some)) return some
  }
  return undefined
}

const networkOf = ({ from }: Logon) => from?.split(/[.:]/).slice(0, 2).join('.') ?? ''
const idsOf = (logons: Logon[]) => logons.slice(-MOST_CITED).map(({ id }) => id)
const dayOf = (logons: Logon[]) => new Date(logons[0]?.at ?? 0).toISOString().slice(0, 10)
