import type { EventBus } from '@manara/kit/event-bus'
import type { Http } from '@manara/kit/http'
import {
  CardBody,
  CardDeleted,
  CardList,
  CardPatch,
  CardReply,
  type CardsEvent,
  normalizeUid,
  Scan,
  UidParams,
} from '@manara/player-contract/cards'
import type { PlayerEvents } from '@manara/player-contract/events'
import type { Target } from '@manara/player-contract/target'
import type { CardStore } from './cards.store.ts'
import type { LastScan } from './last-scan.ts'

export type RfidDeps = {
  cards: CardStore
  scan: LastScan
  events: EventBus<PlayerEvents>
  /** Throws 400 naming the field of the binding that leads nowhere. */
  checkBinding(binding: Target): Promise<void>
  onChange(uid: string): void
}

const tags = ['rfid']
const reply = { 200: CardReply }

export function rfidRoutes(http: Http, { cards, scan, events, ...deps }: RfidDeps) {
  const { checkBinding, onChange } = deps
  const tell = (uid: string, change: CardsEvent['change']) => {
    events.emit('cards', { uid, change, count: cards.count() })
    onChange(uid)
  }

  http.get(
    '/rfid/cards',
    { schema: { tags, summary: 'Registered cards', response: { 200: CardList } } },
    () => ({ cards: cards.all() }),
  )

  http.get(
    '/rfid/scan',
    { schema: { tags, summary: 'The card that was tapped last', response: { 200: Scan } } },
    () => scan.read(),
  )

  http.post(
    '/rfid/cards',
    {
      schema: {
        tags,
        summary: 'Register a card, or bind a registered one anew',
        body: CardBody,
        response: reply,
      },
    },
    async ({ body }) => {
      await checkBinding(body.binding)
      const change = cards.find(body.uid) ? 'edited' : 'added'
      const card = cards.register(body)
      tell(card.uid, change)
      return { success: true, ...card } as const
    },
  )

  http.patch(
    '/rfid/cards/:uid',
    {
      schema: {
        tags,
        summary: 'Change a card; what is left out stays',
        params: UidParams,
        body: CardPatch,
        response: reply,
      },
    },
    async ({ params, body }) => {
      const { uid } = cards.get(normalizeUid(params.uid))
      if (body.binding) await checkBinding(body.binding)
      const card = cards.edit(uid, body)
      tell(uid, 'edited')
      return { success: true, ...card } as const
    },
  )

  http.delete(
    '/rfid/cards/:uid',
    {
      schema: {
        tags,
        summary: 'Remove a card',
        params: UidParams,
        response: { 200: CardDeleted },
      },
    },
    ({ params }) => {
      const uid = normalizeUid(params.uid)
      cards.remove(uid)
      tell(uid, 'removed')
      return { success: true, uid } as const
    },
  )
}
