import { AppError, invalid } from '@manara/kit/errors'
import type { Grade } from '@manara/player-contract/grades'
import type { ModeBody } from '@manara/player-contract/mode'
import type { PlaybackStatus } from '@manara/player-contract/playback'
import type { Target } from '@manara/player-contract/target'

/** How what plays comes in: a volume from its first sound on, and whether it fades in. */
export type Entrance = { volume?: number; softly?: boolean }

/** With a mode that does not fit it nothing plays and nothing has changed. */
export type How = { entrance: Entrance; mode: ModeBody | undefined }

export type TargetDeps = {
  playSurah(reciter: string, surah: number, how: How): Promise<unknown>
  playStream(url: string, name: string | undefined, how: How): Promise<unknown>
  playPath(path: string, how: How): Promise<unknown>
  /** A juz or a hizb: the surahs it touches, one after the other. */
  playPart(target: Target, how: How): Promise<unknown>
  /** Undefined when it has been removed. */
  favorite(id: number): Target | undefined
  /** The card's file exists; otherwise throws 400 naming `path`. */
  checkPath(path: string): Promise<unknown>
  /** What is due today for a learner. */
  playLesson(learner: number, entrance: Entrance): Promise<unknown>
  isLearner(id: number): boolean
  /** Grades the learner whose lesson was begun last. */
  gradeLast(grade: Grade): void
  /** At the volume it is to have, which is lent for as long as it sounds. */
  soundAdhan(volume: number | undefined): Promise<unknown>
  command(type: 'pause' | 'resume' | 'stop'): Promise<unknown>
  playNeighbour(type: 'next' | 'prev', entrance: Entrance): Promise<unknown>
  resumeSaved(entrance: Entrance): Promise<unknown>
  setMode(mode: ModeBody): Promise<unknown>
  setVolume(volume: number): Promise<unknown>
  status(): PlaybackStatus
  sleep(): Promise<unknown>
}

const VOLUME_STEP = 5

/** Does what a schedule or a card asks for. Rejects with what a person can be told. */
export async function playTarget(
  deps: TargetDeps,
  target: Target,
  entrance: Entrance = {},
): Promise<void> {
  const { mode } = target
  const how = { entrance, mode }
  switch (target.type) {
    case 'surah':
      await deps.playSurah(target.reciter ?? '', target.surah ?? 0, how)
      return
    case 'stream':
      await deps.playStream(target.url ?? '', target.name, how)
      return
    case 'path':
      await deps.playPath(target.path ?? '', how)
      return
    case 'juz':
    case 'hizb':
      await deps.playPart(target, how)
      return
    case 'favorite':
      return playTarget(deps, { ...favoriteOf(deps, target), ...(mode && { mode }) }, entrance)
    case 'learner':
      await deps.playLesson(target.id ?? 0, entrance)
      return
    case 'adhan':
      if (mode) await deps.setMode(mode)
      await deps.soundAdhan(entrance.volume)
      return
    case 'action':
      if (mode) await deps.setMode(mode)
      await act(deps, target.action, entrance)
  }
}

/** What can be known when a target is chosen; the rest is known when it plays. */
export async function checkTarget(
  deps: TargetDeps,
  target: Target,
  field = 'target',
): Promise<void> {
  if (target.type === 'favorite') favoriteOf(deps, target, field)
  if (target.type === 'learner' && !deps.isLearner(target.id ?? 0)) {
    throw invalid(`${field}.id`, `there is no learner ${target.id}`)
  }
  if (target.type !== 'path') return
  try {
    await deps.checkPath(target.path ?? '')
  } catch (error) {
    if (error instanceof AppError) throw new AppError(error.status, `${field}.${error.message}`)
    throw error
  }
}

function favoriteOf(deps: TargetDeps, { id = 0 }: Target, field = 'target'): Target {
  const favorite = deps.favorite(id)
  if (!favorite) throw invalid(`${field}.id`, `there is no favorite ${id}`)
  return favorite
}

async function act(
  deps: TargetDeps,
  action: Target['action'],
  entrance: Entrance,
): Promise<unknown> {
  const { state, hasResumeState } = deps.status()
  const goesOn = action === 'resume' && state === 'stopped' && hasResumeState
  // In the morning the box may have been off since, and its owner still wants to hear it go on.
  if (goesOn) return deps.resumeSaved(entrance)
  if (action === 'next' || action === 'prev') return deps.playNeighbour(action, entrance)
  // Not before: its last moment would be as loud.
  const isSilencing = action === 'pause' || action === 'stop'
  if (isSilencing) await deps.command(action)
  if (entrance.volume !== undefined) await deps.setVolume(entrance.volume)
  if (isSilencing) return
  const { volume } = deps.status()
  switch (action) {
    case 'volume_up':
      return deps.setVolume(Math.min(100, volume + VOLUME_STEP))
    case 'volume_down':
      return deps.setVolume(Math.max(0, volume - VOLUME_STEP))
    case 'sleep':
      return deps.sleep()
    case 'grade_again':
      return deps.gradeLast('again')
    case 'grade_hesitant':
      return deps.gradeLast('hesitant')
    case 'grade_good':
      return deps.gradeLast('good')
    case undefined:
      return
    default:
      return deps.command(action)
  }
}
