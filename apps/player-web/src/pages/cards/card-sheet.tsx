import type { Card } from '@manara/player-contract/cards'
import type { ModeBody } from '@manara/player-contract/mode'
import type { Target } from '@manara/player-contract/target'
import { Choice } from '@manara/ui/parts/choice'
import { Field } from '@manara/ui/parts/field'
import { Icon } from '@manara/ui/parts/icon'
import { Sheet } from '@manara/ui/parts/sheet'
import { useIsHere } from '@manara/ui/use-is-here'
import { useOnce } from '@manara/ui/use-once'
import { useSignal } from '@preact/signals'
import { api, attempt, say } from '../../here.ts'
import { ModeFields } from '../../parts/mode-fields.tsx'
import { RemoveButton } from '../../parts/remove-button.tsx'
import { likelyTarget, TargetPicker } from '../../parts/target-picker.tsx'
import { changedOnly } from '../../stores/changed-only.ts'
import { words } from './words.ts'

const SECOND_TAPS = ['toggle', 'restart', 'next', 'ignore'] as const

type CardSheetProps = {
  card?: Card
  uid?: string
  /** Where it was new, and another phone has saved it since. */
  taken?: Card | undefined
  onTouch(): void
  onClose(): void
}

/** What a card is called and what it does, in words. */
export function CardSheet({ card, uid = '', taken, onTouch, onClose }: CardSheetProps) {
  const isHere = useIsHere()
  const { t, fill } = say.value
  const w = words()
  const name = useSignal(card?.name ?? '')
  const binding = useSignal<Target>(card?.binding ?? likelyTarget())
  const secondTap = useSignal<Card['second_tap']>(card?.second_tap ?? 'toggle')
  const problem = useSignal<string | undefined>(undefined)
  const itsUid = card?.uid ?? uid
  const sounds = !['action', 'adhan', 'learner'].includes(binding.value.type)
  const mode = binding.value.mode

  async function save() {
    if (name.value.trim() === '') {
      problem.value = w.cards.nameIt
      return
    }
    const body = { name: name.value.trim(), binding: binding.value, second_tap: secondTap.value }
    const isDone = await attempt(async () => {
      if (!card) return api.post('/rfid/cards', { uid: itsUid, ...body })
      const changed = changedOnly<Card>(card, body)
      if (changed) await api.patch(`/rfid/cards/${itsUid}`, changed)
    })
    if (isDone && isHere()) onClose()
  }

  const { busy, run } = useOnce(save)
  return (
    <Sheet
      title={card ? w.cards.editTitle : w.cards.newTitle}
      closeLabel={t.close}
      onClose={onClose}
    >
      <form
        class="stack"
        noValidate
        onInput={onTouch}
        // Who counts up and down types nothing.
        onClickCapture={onTouch}
        onSubmit={(event) => {
          event.preventDefault()
          void run()
        }}
      >
        <p class="card-uid" dir="ltr">
          <Icon name="card" />
          {itsUid.replace(/(..)(?=.)/g, '$1 ')}
        </p>
        {taken && !busy['aria-busy'] && (
          <p role="status">{fill(w.cards.takenBy, { s: taken.name })}</p>
        )}
        <Field
          label={w.cards.name}
          value={name.value}
          problem={problem.value}
          onType={(text) => {
            name.value = text
            problem.value = undefined
          }}
          input={{
            dir: 'auto',
            maxLength: 200,
            autocomplete: 'off',
            name: 'card',
            placeholder: w.cards.nameHint,
          }}
        />
        <TargetPicker
          label={w.cards.does}
          target={binding.value}
          onPick={(next) => {
            binding.value = next
          }}
        />
        {sounds && (
          <details class="details" open={mode !== undefined}>
            <summary>{w.cards.repeat}</summary>
            <div class="stack">
              <ModeFields
                mode={mode ?? ({ mode: 'off' } satisfies ModeBody)}
                surah={binding.value.surah ?? 1}
                onChange={(next) => {
                  binding.value = { ...binding.value, mode: next }
                }}
              />
            </div>
          </details>
        )}
        <Choice
          label={w.cards.secondTap}
          value={secondTap.value}
          options={SECOND_TAPS.map((value) => ({ value, label: w.cards.secondTaps[value] }))}
          onChoose={(next) => {
            secondTap.value = next
          }}
        />
        <button type="submit" class="button" data-look="main" {...busy}>
          {t.save}
        </button>
        {card && (
          <RemoveButton
            path={`/rfid/cards/${card.uid}`}
            name={card.name}
            undo={() => bringBack(card)}
            onClose={onClose}
          />
        )}
      </form>
    </Sheet>
  )
}

const bringBack = ({ uid, name, binding, second_tap }: Card) =>
  api.post('/rfid/cards', { uid, name, binding, second_tap })
