import type { Target } from '@manara/player-contract/target'
import { TARGET_ACTIONS } from '@manara/player-contract/target-actions'
import { Choice } from '@manara/ui/parts/choice'
import { Select } from '@manara/ui/parts/select'
import { box, learners, say } from '../here.ts'
import { withinSurah } from './mode-of.ts'
import { reciterOptions, surahOptions } from './names.ts'
import { targetName } from './target-name.ts'

type Kind = Exclude<Target['type'], 'path'>
const KINDS: Kind[] = [
  ...(['surah', 'juz', 'hizb', 'stream'] as const),
  ...(['favorite', 'learner', 'adhan', 'action'] as const),
]

type TargetPickerProps = { label: string; target: Target; onPick(target: Target): void }

/** What should be heard or done: asked with names, never with addresses or numbers. */
export function TargetPicker({ label, target, onPick }: TargetPickerProps) {
  const { t } = say.value
  const { mode } = target
  // How it is repeated stays when what is heard changes.
  const pick = (next: Target) =>
    onPick(
      mode && next.type !== 'learner' ? { ...next, mode: withinSurah(mode, next.surah) } : next,
    )
  const kinds = KINDS.filter((kind) => kind === target.type || firstOf(kind) !== undefined)
  return (
    <>
      <Choice
        label={label}
        value={target.type === 'path' ? 'surah' : target.type}
        options={kinds.map((value) => ({ value, label: t.targets[value] }))}
        onChoose={(kind) => {
          const first = firstOf(kind)
          if (first) pick(first)
        }}
      />
      <Details target={target} onPick={pick} />
    </>
  )
}

function Details({ target, onPick }: Omit<TargetPickerProps, 'label'>) {
  const { t } = say.value
  switch (target.type) {
    case 'surah':
    case 'juz':
    case 'hizb':
      return <OfReciter part={target.type} target={target} onPick={onPick} />
    case 'stream': {
      const stations = box.stations.value ?? []
      const known = stations.some(({ url }) => url === target.url)
        ? stations
        : [{ url: target.url ?? '', name: targetName(target) }, ...stations]
      return (
        <Select
          label={t.targets.stream}
          value={target.url ?? ''}
          options={known.map(({ url, name }) => ({ value: url, label: name }))}
          onChoose={(url) => onPick({ type: 'stream', url })}
        />
      )
    }
    case 'favorite':
      return (
        <Select
          label={t.targets.favorite}
          value={target.id ?? 0}
          options={(box.favorites.value ?? []).map(({ id }) => ({
            value: id,
            label: targetName({ type: 'favorite', id }),
          }))}
          onChoose={(id) => onPick({ type: 'favorite', id })}
        />
      )
    case 'learner':
      return (
        <Select
          label={t.targets.learner}
          value={target.id ?? 0}
          options={(learners.list.value ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          onChoose={(id) => onPick({ type: 'learner', id })}
        />
      )
    case 'action':
      return (
        <Select
          label={t.targets.action}
          value={target.action ?? 'pause'}
          options={TARGET_ACTIONS.map((value) => ({ value, label: t.actions[value] }))}
          onChoose={(action) => onPick({ type: 'action', action })}
        />
      )
    default:
      return null
  }
}

type OfReciterProps = Omit<TargetPickerProps, 'label'> & { part: 'surah' | 'juz' | 'hizb' }

/** A surah or a part of the Quran, and by whom. */
function OfReciter({ part, target, onPick }: OfReciterProps) {
  const { t, number } = say.value
  const { reciter = '' } = target
  const parts = Array.from({ length: part === 'juz' ? 30 : 60 }, (_, at) => ({
    value: at + 1,
    label: number(at + 1),
  }))
  return (
    <div class="pair">
      <Select
        label={t.targets[part]}
        value={target[part] ?? 1}
        options={part === 'surah' ? surahOptions() : parts}
        onChoose={(chosen) => onPick({ ...target, [part]: chosen })}
      />
      <Select
        label={t.targets.reciter}
        value={reciter}
        options={reciterOptions(reciter)}
        onChoose={(name) => onPick({ ...target, reciter: name })}
      />
    </div>
  )
}

/** What is offered first of a kind; nothing where the box has none of it. */
function firstOf(kind: Kind): Target | undefined {
  if (kind === 'adhan') return { type: 'adhan' }
  if (kind === 'action') return { type: 'action', action: 'pause' }
  if (kind === 'learner') {
    const [learner] = learners.list.value ?? []
    return learner && { type: 'learner', id: learner.id }
  }
  if (kind === 'favorite') {
    const [favorite] = box.favorites.value ?? []
    return favorite && { type: 'favorite', id: favorite.id }
  }
  if (kind === 'stream') {
    const [station] = box.stations.value ?? []
    return station && { type: 'stream', url: station.url }
  }
  const [reciter] = box.reciters.value ?? []
  if (!reciter) return undefined
  if (kind === 'juz') return { type: 'juz', reciter: reciter.name, juz: 30 }
  if (kind === 'hizb') return { type: 'hizb', reciter: reciter.name, hizb: 60 }
  return { type: 'surah', reciter: reciter.name, surah: 1 }
}

/** What a new card or schedule begins with: what people like most. */
export function likelyTarget(): Target {
  const best = [...(box.favorites.value ?? [])].sort((a, b) => b.play_count - a.play_count)[0]
  if (best?.type === 'surah') return { type: 'surah', reciter: best.reciter, surah: best.surah }
  return firstOf('surah') ?? firstOf('stream') ?? { type: 'adhan' }
}
