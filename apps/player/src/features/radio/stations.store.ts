import { conflict, notFound } from '@manara/kit/errors'
import type { Station, StationBody, StationPatch } from '@manara/player-contract/stations'
import { inOneStep, written } from '../../db/in-one-step.ts'
import type { Db } from '../../db/open-store.ts'

/** Everybody is sent the whole list whenever one changes. */
const MOST = 5_000

export type StationStore = ReturnType<typeof createStationStore>

export function createStationStore(db: Db, now: () => number) {
  const all = db.prepare('SELECT * FROM stations ORDER BY id')
  const byId = db.prepare('SELECT * FROM stations WHERE id = ?')
  const byUrl = db.prepare('SELECT * FROM stations WHERE url = ?')
  // One address is one station: adding it again gives it the new name.
  const upsert = db.prepare(
    `INSERT INTO stations (name, url, created_at) VALUES (?, ?, ?)
     ON CONFLICT (url) DO UPDATE SET name = excluded.name RETURNING *`,
  )
  const update = db.prepare('UPDATE stations SET name = ?, url = ? WHERE id = ?')
  const remove = db.prepare('DELETE FROM stations WHERE id = ?')
  const total = db.prepare('SELECT count(*) AS n FROM stations')
  const size = () => Number(total.get()?.n)

  const save = ({ name, url }: StationBody) =>
    written(upsert, name, url, Math.floor(now() / 1000)) as Station

  /** All or none: a power cut leaves no half of an import. */
  const addAll = (stations: StationBody[]): Station[] =>
    inOneStep(db, () => {
      const before = size()
      const added = stations.map(save)
      if (size() <= Math.max(before, MOST)) return added
      throw conflict(`there are ${before} stations already, of ${MOST}: remove some first`)
    })

  return {
    all: () => all.all() as Station[],
    byUrl: (url: string) => byUrl.get(url) as Station | undefined,
    add: (station: StationBody) => addAll([station])[0] as Station,
    addAll,

    edit(id: number, patch: StationPatch): Station {
      const station = byId.get(id) as Station | undefined
      if (!station) throw notFound('station', id)
      const { name = station.name, url = station.url } = patch
      const next = { ...station, name, url }
      update.run(next.name, next.url, id)
      return next
    },

    remove(id: number) {
      if (remove.run(id).changes === 0) throw notFound('station', id)
    },
  }
}
