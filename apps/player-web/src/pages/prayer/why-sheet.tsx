import { PRAYER_NAMES, type PrayerName } from '@manara/player-contract/prayer-names'
import { Sheet } from '@manara/ui/parts/sheet'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api, attempt, box, say } from '../../here.ts'
import { type Basis, basisAr, type Explained, explainAr } from './explain-ar.ts'
import { words } from './words.ts'

type Explanation = {
  valid: boolean
  basis: Basis
  basis_text: string
  method: { name: string; fajr_angle: number; isha_angle: number | null; isha_interval_min: number }
  prayers: Record<PrayerName, Explained & { time: string; text: string }>
}

/** How each time came about, for the one who compares with the mosque. */
export function WhySheet({ onClose }: { onClose(): void }) {
  const { t, timeOfDay, number, language } = say.value
  const isArabic = language === 'ar'
  const w = words()
  const is24h = box.settings.value?.time_format_24h ?? true
  const found = useSignal<Explanation | null>(null)
  useEffect(() => {
    void attempt(async () => {
      found.value = await api.get<Explanation>('/prayer/explain')
    })
  }, [])
  const why = found.value
  return (
    <Sheet title={w.prayer.why} closeLabel={t.close} onClose={onClose}>
      {why?.valid ? (
        <>
          <InWords
            ours={isArabic ? basisAr(why.basis, say.value) : undefined}
            its={why.basis_text}
          />
          <dl class="why">
            {PRAYER_NAMES.map((name) => {
              const facts = why.prayers[name]
              const { time, angle, text } = facts
              return (
                <div key={name}>
                  <dt>
                    <b>{t.prayers[name]}</b>
                    <span>{timeOfDay(time, is24h)}</span>
                    {angle !== null && (
                      <span dir="ltr">{number(Math.round(angle * 10) / 10)}°</span>
                    )}
                  </dt>
                  <dd>
                    <InWords
                      ours={isArabic ? explainAr(name, facts, say.value) : undefined}
                      its={text}
                    />
                  </dd>
                </div>
              )
            })}
          </dl>
        </>
      ) : (
        <div class="ghost page-ghost" aria-busy="true" />
      )}
    </Sheet>
  )
}

/** As we say it, else as the box does. */
const InWords = ({ ours, its }: { ours: string | undefined; its: string }) =>
  ours === undefined ? (
    <p lang="en" dir="auto">
      {its}
    </p>
  ) : (
    <p>{ours}</p>
  )
