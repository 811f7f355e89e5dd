import { notFound } from '@manara/kit/errors'
import type { Card, CardBody, CardPatch } from '@manara/player-contract/cards'
import { Target } from '@manara/player-contract/target'
import { written } from '../../db/in-one-step.ts'
import type { Db } from '../../db/open-store.ts'

export type CardStore = ReturnType<typeof createCardStore>

type Row = Omit<Card, 'binding'> & { binding: string }

/** On disk before a call returns. */
export function createCardStore(db: Db, now: () => number) {
  const seconds = () => Math.floor(now() / 1000)
  const all = db.prepare('SELECT * FROM nfc_cards ORDER BY created_at, uid')
  const byUid = db.prepare('SELECT * FROM nfc_cards WHERE uid = ?')
  const count = db.prepare('SELECT count(*) AS count FROM nfc_cards')
  const upsert = db.prepare(
    `INSERT INTO nfc_cards (uid, name, binding, second_tap, created_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (uid) DO UPDATE SET
       name = excluded.name, binding = excluded.binding, second_tap = excluded.second_tap
     RETURNING *`,
  )
  const update = db.prepare(
    'UPDATE nfc_cards SET name = ?, binding = ?, second_tap = ? WHERE uid = ? RETURNING *',
  )
  const tapped = db.prepare('UPDATE nfc_cards SET last_tapped = ? WHERE uid = ?')
  const remove = db.prepare('DELETE FROM nfc_cards WHERE uid = ?')

  function find(uid: string): Card | undefined {
    const row = byUid.get(uid)
    const card = row && fromRow(row as Row)
    return card && isKnown(card) ? card : undefined
  }

  function get(uid: string): Card {
    const card = find(uid)
    if (!card) throw notFound('card', uid)
    return card
  }

  return {
    all: () => (all.all() as Row[]).map(fromRow).filter(isKnown),
    count: () => (count.get() as { count: number }).count,
    find,
    get,

    /** A card that is registered already gets the new name and binding. */
    register({ uid, name, binding, second_tap = 'toggle' }: CardBody): Card {
      const row = [uid, name, JSON.stringify(binding), second_tap, seconds()] as const
      return fromRow(written(upsert, ...row) as Row)
    },

    edit(uid: string, patch: CardPatch): Card {
      const { name, binding, second_tap } = { ...get(uid), ...(patch as Partial<Card>) }
      return fromRow(written(update, name, JSON.stringify(binding), second_tap, uid) as Row)
    },

    noteTap: (uid: string) => void tapped.run(seconds(), uid),

    remove(uid: string) {
      if (remove.run(uid).changes === 0) throw notFound('card', uid)
    },
  }
}

const fromRow = (row: Row): Card => ({ ...row, binding: JSON.parse(row.binding) })

/** A later version may have bound it to what this one has no word for. */
const isKnown = ({ binding }: Card) => Target.safeParse(binding).success
