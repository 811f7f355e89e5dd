import { Choice } from '@manara/ui/parts/choice'
import { Icon } from '@manara/ui/parts/icon'
import { Sheet } from '@manara/ui/parts/sheet'
import { useSignal, useSignalEffect } from '@preact/signals'
import { api, attempt, box, clock, say } from '../../here.ts'

const MINUTES = [10, 15, 20, 30, 45, 60, 90, 120]
const USUAL = 30

/** Falls asleep with the listener: counts down on its button, fades out, keeps the place. */
export function SleepButton() {
  const { t, clock: asClock } = say.value
  const isOpen = useSignal(false)
  const endsAt = useSignal(0)
  useSignalEffect(() => {
    const sleep = box.sleep.value
    endsAt.value = sleep?.active ? Date.now() + sleep.in_s * 1000 : 0
  })
  const isSet = box.sleep.value?.active ?? false
  const close = () => {
    isOpen.value = false
  }
  return (
    <>
      <button
        type="button"
        aria-pressed={isSet}
        onClick={() => {
          isOpen.value = true
        }}
      >
        <Icon name="moon" filled={isSet} />
        <span>{isSet ? asClock(endsAt.value - clock.value) : t.sleep.short}</span>
      </button>
      {isOpen.value && <SleepSheet isSet={isSet} onClose={close} />}
    </>
  )
}

function SleepSheet({ isSet, onClose }: { isSet: boolean; onClose(): void }) {
  const { t, fill } = say.value
  const minutes = useSignal(USUAL)
  const done = async (work: Promise<boolean>) => {
    if (await work) onClose()
  }
  return (
    <Sheet title={t.sleep.title} closeLabel={t.close} onClose={onClose}>
      <p class="small">{t.sleep.what}</p>
      <Choice
        label={t.sleep.after}
        value={minutes.value}
        options={MINUTES.map((value) => ({ value, label: fill(t.minutes, { n: value }) }))}
        onChoose={(value) => {
          minutes.value = value
        }}
      />
      <button
        type="button"
        class="button"
        data-look="main"
        onClick={() =>
          void done(attempt(() => api.post('/playback/sleep', { minutes: minutes.value })))
        }
      >
        {isSet ? t.sleep.change : t.sleep.start}
      </button>
      {isSet && (
        <button
          type="button"
          class="button"
          data-look="line"
          onClick={() => void done(attempt(() => api.remove('/playback/sleep')))}
        >
          {t.sleep.callOff}
        </button>
      )}
    </Sheet>
  )
}
