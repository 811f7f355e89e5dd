import { programOf } from '../evidence/names.ts'
import { type Actor, newActor } from './actor.ts'

// The two logs tell of one start with some seconds between them: only what is farther apart is
// another process that got the same number.
const REUSE_MS = 60_000

/**
 * Processes by host, number and program, since numbers are given again. `at` only ever grows.
 */
export function createProcessTable() {
  const byKey = new Map<string, Actor[]>()
  const byPid = new Map<string, Actor[]>()
  const all: Actor[] = []

  function add(host: string, pid: number, image: string, at: number): Actor {
    const name = programOf(image)
    const known = byKey.get(`${host}|${pid}|${name}`) ?? []
    const turn = known.length === 0 ? '' : `|${known.length}`
    const key = `${host}|${pid}|${name}${turn}`
    const actor = newActor({ key, kind: 'process', host, pid, image, name, at })
    put(byKey, `${host}|${pid}|${name}`, actor)
    put(byPid, `${host}|${pid}`, actor)
    all.push(actor)
    return actor
  }

  return {
    all,

    /** The process that an event of this moment means; known from now on. */
    at(host: string, pid: number, image: string, at: number, guid = ''): Actor {
      const known = byKey.get(`${host}|${pid}|${programOf(image)}`)
      const actor =
        (guid && known?.find((one) => one.guid === guid)) || aliveAt(known, at, guid) || undefined
      const found = actor ?? add(host, pid, image, at)
      if (guid && !found.guid) found.guid = guid
      if (at < found.at) found.at = at
      return found
    },

    /** As `at`, of an event that tells of a start. */
    started(host: string, pid: number, image: string, at: number, guid = ''): Actor {
      const known = byKey.get(`${host}|${pid}|${programOf(image)}`)?.at(-1)
      const isOther =
        known !== undefined &&
        ((guid !== '' && known.guid !== '' && guid !== known.guid) ||
          (known.endedAt !== undefined && at - known.endedAt > REUSE_MS) ||
          (known.startedAt !== undefined && at - known.startedAt > REUSE_MS))
      const actor = isOther ? add(host, pid, image, at) : this.at(host, pid, image, at, guid)
      if (guid && !actor.guid) actor.guid = guid
      actor.startedAt ??= at
      return actor
    },

    /** Whoever has that number at that moment, when nothing else is said. */
    byPid: (host: string, pid: number, at: number): Actor | undefined =>
      pid > 0 ? aliveAt(byPid.get(`${host}|${pid}`), at, '') : undefined,
  }
}

function aliveAt(known: Actor[] | undefined, at: number, guid: string): Actor | undefined {
  const candidates =
    guid === '' ? known : known?.filter((one) => one.guid === '' || one.guid === guid)
  return candidates?.findLast((one) => one.at <= at + REUSE_MS) ?? candidates?.[0]
}

function put(map: Map<string, Actor[]>, key: string, actor: Actor) {
  const list = map.get(key)
  if (list) list.push(actor)
  else map.set(key, [actor])
}
