import type { ModeBody } from '@manara/player-contract/mode'
import type { VersesReport } from '@manara/player-contract/verses'
import { Choice } from '@manara/ui/parts/choice'
import { Icon } from '@manara/ui/parts/icon'
import { Select } from '@manara/ui/parts/select'
import { Stepper } from '@manara/ui/parts/stepper'
import { Switch } from '@manara/ui/parts/switch'
import { say } from '../here.ts'
import { DrillFields } from './drill-fields.tsx'
import { surahOptions, verseCount } from './names.ts'
import { withValue } from './with-value.ts'

const MODES = [
  ['off', 'stop'],
  ['continuous', 'arrow'],
  ['repeat_one', 'repeat'],
  ['hifz_repeat', 'disc'],
  ['hifz_ab', 'range'],
  ['hifz_verses', 'book'],
] as const
const GAPS = [0, 5, 10, 30, 60]
const ROUNDS = 7
const GAP_S = 5

type ModeFieldsProps = {
  mode: ModeBody
  surah: number
  /** What is known of its verses; a card's surah may not be on the memory card yet. */
  verses?: VersesReport | undefined
  onChange(mode: ModeBody): void
}

export function ModeFields({ mode, surah, verses, onChange }: ModeFieldsProps) {
  const { t, number, fill } = say.value
  const isHifz = mode.mode === 'hifz_repeat' || mode.mode === 'hifz_ab'
  const {
    repeat = ROUNDS,
    pause_s = GAP_S,
    ab = { from: surah, to: Math.min(114, surah + 1) },
  } = mode
  const names = surahOptions()

  const choose = (wanted: ModeBody['mode']) => {
    if (wanted === 'hifz_repeat') onChange({ mode: wanted, repeat, pause_s })
    else if (wanted === 'hifz_ab')
      onChange({ mode: wanted, repeat: Math.max(1, repeat), pause_s, ab })
    else if (wanted === 'hifz_verses')
      onChange({ mode: wanted, verses: { from: 1, to: Math.min(5, verseCount(surah)) } })
    else onChange({ mode: wanted })
  }
  const setRange = (range: { from: number; to: number }) =>
    onChange({
      ...mode,
      ab: { from: Math.min(range.from, range.to), to: Math.max(range.from, range.to) },
    })

  return (
    <>
      <Choice
        label={t.hifz.atTheEnd}
        isLabelHidden
        shape="tiles"
        value={mode.mode}
        options={MODES.map(([value, icon]) => ({
          value,
          label: t.modes[value].name,
          picture: (
            <span class="turns">
              <Icon name={icon} />
            </span>
          ),
        }))}
        onChoose={choose}
      />
      {mode.mode === 'hifz_ab' && (
        <div class="pair">
          <Select
            label={t.hifz.from}
            value={ab.from}
            options={names}
            onChoose={(from) => setRange({ ...ab, from })}
          />
          <Select
            label={t.hifz.to}
            value={ab.to}
            options={names}
            onChoose={(to) => setRange({ ...ab, to })}
          />
        </div>
      )}
      {mode.mode === 'hifz_verses' && (
        <DrillFields mode={mode} surah={surah} verses={verses} onChange={onChange} />
      )}
      {isHifz && repeat > 0 && (
        <Stepper
          label={t.hifz.rounds}
          value={repeat}
          shown={number(repeat)}
          min={1}
          max={1000}
          lessLabel={t.less}
          moreLabel={t.more}
          onStep={(next) => onChange({ ...mode, repeat: next })}
        />
      )}
      {mode.mode === 'hifz_repeat' && (
        <Switch
          label={t.hifz.withoutEnd}
          isOn={repeat === 0}
          onSwitch={(isOn) => onChange({ ...mode, repeat: isOn ? 0 : ROUNDS })}
        />
      )}
      {isHifz && (
        <Choice
          label={t.hifz.silence}
          value={pause_s}
          options={withValue(GAPS, pause_s).map((value) => ({
            value,
            label: value === 0 ? t.hifz.none : fill(t.hifz.seconds, { n: value }),
          }))}
          onChoose={(next) => onChange({ ...mode, pause_s: next })}
        />
      )}
    </>
  )
}
