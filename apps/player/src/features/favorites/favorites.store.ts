import { conflict, notFound } from '@manara/kit/errors'
import { Favorite, type FavoriteBody } from '@manara/player-contract/favorites'
import { SURAHS } from '@manara/player-contract/surahs'
import type { Target } from '@manara/player-contract/target'
import type { Db } from '../../db/open-store.ts'

/** Everybody is sent the whole list whenever one changes. */
const MOST = 5_000

export type FavoriteStore = ReturnType<typeof createFavoriteStore>

/** What makes two favorites the same; the name is only a label. */
type Identity = Pick<Favorite, 'type' | 'reciter' | 'surah' | 'url'>

export function createFavoriteStore(db: Db, now: () => number) {
  const seconds = () => Math.floor(now() / 1000)
  const SAME = 'type = ? AND reciter = ? AND surah = ? AND url = ?'
  const all = db.prepare('SELECT * FROM favorites ORDER BY id')
  const byId = db.prepare('SELECT * FROM favorites WHERE id = ?')
  const same = db.prepare(`SELECT * FROM favorites WHERE ${SAME}`)
  const insert = db.prepare(
    `INSERT INTO favorites (type, reciter, surah, url, name, created_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
  )
  const remove = db.prepare('DELETE FROM favorites WHERE id = ?')
  const total = db.prepare('SELECT count(*) AS n FROM favorites')
  const count = db.prepare(
    `UPDATE favorites SET play_count = play_count + 1, last_played = ? WHERE ${SAME}`,
  )
  const key = ({ type, reciter, surah, url }: Identity) => [type, reciter, surah, url] as const

  function add(body: FavoriteBody): Favorite {
    const favorite = identityOf(body)
    const isFull = Number(total.get()?.n) >= MOST
    if (isFull && !same.get(...key(favorite)))
      throw conflict(`there are ${MOST} favorites already: remove one first`)
    insert.run(...key(favorite), nameOf(body), seconds())
    return same.get(...key(favorite)) as Favorite
  }

  return {
    // What a later version may have kept is left to it.
    all: () => (all.all() as Favorite[]).filter((row) => Favorite.safeParse(row).success),

    /** What plays it; undefined when there is none of that id. */
    target(id: number): Target | undefined {
      const favorite = byId.get(id) as Favorite | undefined
      if (!favorite) return undefined
      const { type, reciter, surah, url, name } = favorite
      return type === 'surah' ? { type, reciter, surah } : { type, url, name }
    },

    add,

    remove(id: number) {
      if (remove.run(id).changes === 0) throw notFound('favorite', id)
    },

    toggle(body: FavoriteBody): { added: boolean; id: number } {
      const known = same.get(...key(identityOf(body))) as Favorite | undefined
      if (!known) return { added: true, id: add(body).id }
      remove.run(known.id)
      return { added: false, id: known.id }
    },

    /** True when it was one of the favorites. */
    countPlay(played: Identity): boolean {
      return count.run(seconds(), ...key(played)).changes > 0
    },
  }
}

/** A name that is typed with its accents apart is the name that the library gives. */
function identityOf({ type, reciter = '', surah = 0, url = '' }: FavoriteBody): Identity {
  return { type, reciter: reciter.normalize('NFC'), surah, url }
}

const nameOf = ({ name, surah }: FavoriteBody) => name ?? SURAHS[(surah ?? 0) - 1]?.name ?? ''
