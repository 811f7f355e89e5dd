import { DRILL_DEFAULTS } from '@manara/player-contract/drill-defaults'
import type { ModeBody } from '@manara/player-contract/mode'
import type { VersesReport } from '@manara/player-contract/verses'
import { Choice } from '@manara/ui/parts/choice'
import { Select } from '@manara/ui/parts/select'
import { Stepper } from '@manara/ui/parts/stepper'
import { Switch } from '@manara/ui/parts/switch'
import { reasons, say } from '../here.ts'
import { surahName, verseCount } from './names.ts'
import { withValue } from './with-value.ts'

const SHARES = [0, 50, 100, 150, 200]
const PAUSES = [0, 3, 5, 10, 30]

type DrillFieldsProps = {
  mode: ModeBody
  surah: number
  verses: VersesReport | undefined
  onChange(mode: ModeBody): void
}

/** Which verses are memorised, and how. */
export function DrillFields({ mode, surah, verses: known, onChange }: DrillFieldsProps) {
  const { t, number, fill } = say.value
  const {
    method = DRILL_DEFAULTS.method,
    repeat = DRILL_DEFAULTS.repeat,
    link = DRILL_DEFAULTS.link,
    passes = DRILL_DEFAULTS.passes,
    gap_percent = DRILL_DEFAULTS.gap_percent,
    pause_s = DRILL_DEFAULTS.pause_s,
  } = mode
  const { from, to } = mode.verses ?? { from: 1, to: 1 }
  const count = known?.verses.length || verseCount(surah)
  const isUnsure = known?.verses.some(({ verse, sure }) => verse >= from && verse <= to && !sure)
  const names = Array.from({ length: count }, (_, i) => ({
    value: i + 1,
    label: `${surahName(surah)} ${number(i + 1)}${known?.verses[i]?.sure === false ? ` (${t.verses.unsure})` : ''}`,
  }))
  const set = (part: Partial<ModeBody>) => onChange({ ...mode, ...part })
  const setRange = (one: number, other: number) => {
    const verses = { from: Math.min(one, other), to: Math.max(one, other) }
    // Without end goes with a single verse only.
    set({ verses, ...(repeat === 0 && one !== other && { repeat: DRILL_DEFAULTS.repeat }) })
  }
  const setMethod = (next: 'each' | 'stack') => {
    const { link: _, ...rest } = mode
    onChange(next === 'stack' ? { ...rest, method: next, link } : { ...rest, method: next })
  }
  const stepper = (
    label: string,
    value: number,
    max: number,
    part: 'repeat' | 'link' | 'passes',
  ) => (
    <Stepper
      label={label}
      value={value}
      shown={number(value)}
      min={1}
      max={max}
      lessLabel={t.less}
      moreLabel={t.more}
      onStep={(next) => set({ [part]: next })}
    />
  )

  return (
    <>
      {known?.source === 'none' && (
        <p class="small" role="status">
          {known.searching
            ? t.verses.searching
            : `${t.verses.notKnown} ${reasons.meaning(known.reason)}`}
        </p>
      )}
      <div class="pair">
        <Select
          label={t.verses.from}
          value={from}
          options={names}
          onChoose={(next) => setRange(next, Math.max(next, to))}
        />
        <Select
          label={t.verses.to}
          value={to}
          options={names}
          onChoose={(next) => setRange(Math.min(from, next), next)}
        />
      </div>
      <Choice
        label={t.verses.method}
        value={method}
        options={[
          { value: 'each' as const, label: t.verses.each },
          { value: 'stack' as const, label: t.verses.stack },
        ]}
        onChoose={setMethod}
      />
      {repeat > 0 && stepper(t.verses.repeat, repeat, 1000, 'repeat')}
      {from === to && (
        <Switch
          label={t.hifz.withoutEnd}
          isOn={repeat === 0}
          onSwitch={(isOn) => set({ repeat: isOn ? 0 : DRILL_DEFAULTS.repeat })}
        />
      )}
      {method === 'stack' && from !== to && stepper(t.verses.link, link, 100, 'link')}
      <Choice
        label={t.verses.turn}
        value={gap_percent}
        options={withValue(SHARES, gap_percent).map((value) => ({
          value,
          label: value === 0 ? t.hifz.none : fill(t.verses.share, { n: value }),
        }))}
        onChoose={(next) => set({ gap_percent: next })}
      />
      <Choice
        label={t.verses.pause}
        value={pause_s}
        options={withValue(PAUSES, pause_s).map((value) => ({
          value,
          label: value === 0 ? t.hifz.none : fill(t.hifz.seconds, { n: value }),
        }))}
        onChoose={(next) => set({ pause_s: next })}
      />
      {repeat > 0 && stepper(t.verses.passes, passes, 100, 'passes')}
      {(isUnsure || mode.unsure) && (
        <Switch
          label={t.verses.useUnsure}
          hint={t.verses.useUnsureHint}
          isOn={mode.unsure ?? false}
          onSwitch={(unsure) => set({ unsure })}
        />
      )}
    </>
  )
}
