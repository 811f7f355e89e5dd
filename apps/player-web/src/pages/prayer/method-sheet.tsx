import type { PrayerConfig } from '@manara/player-contract/prayer-config'
import { CONVENTION_NAMES, PRAYER_NAMES } from '@manara/player-contract/prayer-names'
import { Choice } from '@manara/ui/parts/choice'
import { Select } from '@manara/ui/parts/select'
import { Sheet } from '@manara/ui/parts/sheet'
import { Stepper } from '@manara/ui/parts/stepper'
import { box, say } from '../../here.ts'
import { settings } from './settings.ts'
import { words } from './words.ts'

const NUMBERED = [0, 1, 2, 3, 4] as const
const HIGH_LATITUDES = [
  'middle_of_the_night',
  'seventh_of_the_night',
  'twilight_angle',
  'nearest_day',
  'nearest_latitude',
] as const

/** How times are computed; each change is taken at once and seen in the table behind. */
export function MethodSheet({ config, onClose }: { config: PrayerConfig; onClose(): void }) {
  const { t, number, fill, timeOfDay } = say.value
  const w = words()
  const { set } = settings
  const is24h = box.settings.value?.time_format_24h ?? true
  const times = box.prayer.value?.valid ? box.prayer.value.times : undefined
  const methods = [
    ...NUMBERED.map((method) => ({ value: String(method), label: w.methods[method] })),
    ...CONVENTION_NAMES.map((name) => ({ value: name as string, label: w.methods[name] })),
    ...(config.convention === 'custom' ? [{ value: 'custom', label: w.methods.custom }] : []),
  ]
  return (
    <Sheet title={w.prayer.method} closeLabel={t.close} onClose={onClose}>
      <Select
        label={w.prayer.method}
        value={config.convention ?? String(config.method)}
        options={methods}
        onChoose={(value) => {
          const method = NUMBERED.find((one) => String(one) === value)
          const convention = CONVENTION_NAMES.find((one) => one === value)
          if (method !== undefined) void set({ method, convention: null })
          else if (convention) void set({ convention })
        }}
      />
      <Choice
        label={w.prayer.asrSchool}
        value={config.asr_hanafi ? 'hanafi' : 'majority'}
        options={[
          { value: 'majority', label: w.prayer.majority },
          { value: 'hanafi', label: w.prayer.hanafi },
        ]}
        onChoose={(value) => void set({ asr_hanafi: value === 'hanafi' })}
      />
      <div class="stack-close">
        <h3>{w.prayer.offsets}</h3>
        <p class="small">{w.prayer.offsetsHint}</p>
        {PRAYER_NAMES.map((name, at) => (
          <Stepper
            key={name}
            label={
              times ? `${t.prayers[name]} (${timeOfDay(times[name], is24h)})` : t.prayers[name]
            }
            value={config.offsets_min[at] ?? 0}
            shown={fill(t.minutes, { n: signed(config.offsets_min[at] ?? 0, number) })}
            min={-120}
            max={120}
            lessLabel={t.less}
            moreLabel={t.more}
            onStep={(minutes) =>
              void set({
                offsets_min: config.offsets_min.map((old, index) => (index === at ? minutes : old)),
              })
            }
          />
        ))}
      </div>
      <Stepper
        label={w.prayer.hijriAdjust}
        value={config.hijri_adjust}
        shown={signed(config.hijri_adjust, number)}
        min={-2}
        max={2}
        lessLabel={t.less}
        moreLabel={t.more}
        onStep={(hijri_adjust) => void set({ hijri_adjust })}
      />
      <Select
        label={w.prayer.highLatitude}
        value={config.high_latitude}
        options={HIGH_LATITUDES.map((value) => ({ value, label: w.prayer.highLatitudes[value] }))}
        hint={w.prayer.highLatitudeHint}
        onChoose={(high_latitude) => void set({ high_latitude })}
      />
    </Sheet>
  )
}

const signed = (value: number, number: (value: number) => string) =>
  value > 0 ? `+${number(value)}` : value < 0 ? `−${number(-value)}` : number(0)
