import type { Card } from '@manara/player-contract/cards'
import { Empty } from '@manara/ui/parts/empty'
import { Icon } from '@manara/ui/parts/icon'
import { useSignal, useSignalEffect } from '@preact/signals'
import { access, api, attempt, box, clock, keepAsking, learners, say } from '../../here.ts'
import { PageGhost } from '../../parts/page-ghost.tsx'
import { targetName } from '../../parts/target-name.ts'
import { useSearch } from '../../parts/use-search.tsx'
import type { Tap } from '../../stores/box.ts'
import { CardSheet } from './card-sheet.tsx'
import { words } from './words.ts'

type Open = { card: Card } | { uid: string } | null

/** The page listens: the card that is tapped opens itself. */
export function Page() {
  const w = words()
  const cards = useSignal<Card[] | null>(null)
  const open = useSignal<Open>(null)
  const seen = useSignal(box.tap.peek())
  const isTouched = useSignal(false)

  const { found, field } = useSearch(
    cards.value ?? [],
    ({ name, binding }) => `${name} ${targetName(binding)}`,
  )

  const load = async () => {
    cards.value = (await api.get<{ cards: Card[] }>('/rfid/cards')).cards
    await learners.load()
  }
  useSignalEffect(() => {
    box.cardsChanged.value
    // Which cards there are takes the token; who has none is asked when they want to see them.
    return access.token.value ? keepAsking(load) : undefined
  })
  useSignalEffect(() => {
    const tap = box.tap.value
    if (tap && tap !== seen.peek()) void show(tap)
  })

  async function show(tap: Tap) {
    seen.value = tap
    // Another card on the reader must not take away what is being typed for this one.
    if (open.peek() && isTouched.peek()) return
    if (!tap.registered) {
      open.value = { uid: tap.uid }
      return
    }
    await attempt(load)
    const card = cards.value?.find(({ uid }) => uid === tap.uid)
    if (card) open.value = { card }
  }

  /** A card that was tapped on the box is new on every phone that shows this page. */
  const takenOf = (shown: NonNullable<Open>) =>
    'uid' in shown ? cards.value?.find(({ uid }) => uid === shown.uid) : undefined

  if (!box.system.value) return <PageGhost />
  return (
    <div class="page">
      <h1>{w.cards.title}</h1>
      <Listening />
      {cards.value === null ? (
        access.token.value ? (
          <div class="ghost" aria-busy="true" />
        ) : (
          <Empty icon="key" title={w.cards.locked} text={w.cards.lockedWhy}>
            <button type="button" class="button" onClick={() => void attempt(load)}>
              {w.cards.show}
            </button>
          </Empty>
        )
      ) : cards.value.length === 0 ? (
        <p class="hint">{w.cards.empty}</p>
      ) : (
        <>
          {field}
          <ul class="rows">
            {found.map((card) => (
              <CardRow
                key={card.uid}
                card={card}
                onOpen={() => {
                  open.value = { card }
                }}
              />
            ))}
          </ul>
        </>
      )}
      {open.value && (
        <CardSheet
          key={'card' in open.value ? open.value.card.uid : open.value.uid}
          {...open.value}
          taken={takenOf(open.value)}
          onTouch={() => {
            isTouched.value = true
          }}
          onClose={() => {
            open.value = null
            isTouched.value = false
          }}
        />
      )}
    </div>
  )
}

function CardRow({ card, onOpen }: { card: Card; onOpen(): void }) {
  const { ago } = say.value
  const w = words()
  const since = card.last_tapped === null ? null : box.secondsNow(clock.value) - card.last_tapped
  return (
    <li>
      <button type="button" class="row" onClick={onOpen}>
        <Icon name="card" />
        <span class="row-text">
          <b>
            <bdi>{card.name}</bdi>
          </b>
          <small>
            <bdi>{targetName(card.binding)}</bdi>
          </small>
        </span>
        <span class="row-end">{since === null ? w.cards.never : ago(since)}</span>
      </button>
    </li>
  )
}

/** Says whether a tap would be noticed at all. */
function Listening() {
  const w = words()
  const reader = box.system.value?.reader
  const isThere = reader?.present ?? false
  return (
    <section class="listening" role="status" data-there={isThere}>
      <span class="listening-picture" aria-hidden="true">
        <Icon name="card" />
      </span>
      <div>
        <b>{isThere ? w.cards.hold : w.cards.noReader}</b>
        <p>{isThere ? w.cards.holdHint : w.cards.noReaderWhy}</p>
      </div>
    </section>
  )
}
