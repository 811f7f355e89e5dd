import { AppError } from '@manara/kit/errors'
import type { Logger } from '@manara/kit/logging'
import type { AdhanEvent, PrayerConfig } from '@manara/player-contract/prayer'

export type Prayer = AdhanEvent['prayer']

export type SoundAdhanDeps = {
  config(): PrayerConfig
  /** The absolute path of a file on the card; throws 400 when there is none. */
  resolve(relativePath: string): Promise<string>
  /** The absolute path of the built-in chime. */
  chime(): string
  announce(announcement: {
    prayer: Prayer
    volume: number
    files: { path: string; file: string }[]
  }): Promise<{ path: string | undefined; problems: string[] }>
  /** What the owner sees among the failures of the box; undefined when all is well again. */
  reportProblem(problem: string | undefined): void
  onChime(prayer: Prayer): void
  log: Pick<Logger, 'warn'>
}

const CHIME = 'chime'

/** Calls to a prayer: with the chosen adhan, or with the chime when that cannot be played. */
export async function soundAdhan(deps: SoundAdhanDeps, prayer: Prayer): Promise<void> {
  const { path, volume } = deps.config().adhan
  const found = await findAdhan(deps)
  const adhan = found.file !== undefined ? [{ path, file: found.file }] : []
  const files = [...adhan, { path: CHIME, file: deps.chime() }]
  const sounded = await deps.announce({ prayer, volume, files })
  const problem = found.problem ?? sounded.problems[0]
  deps.reportProblem(problem && inOwnersWords(path, problem))
  if (!problem) return
  deps.log.warn({ path, prayer, problem }, 'the chime sounds instead of the adhan')
  deps.onChime(prayer)
}

/** Whether the next adhan will be heard as chosen: looked at before it is due. */
export async function checkAdhanFile(deps: SoundAdhanDeps): Promise<void> {
  const { enabled, path } = deps.config().adhan
  const found: Found = enabled ? await findAdhan(deps) : {}
  deps.reportProblem(found.problem && inOwnersWords(path, found.problem))
}

/** Neither when the chime was chosen. */
type Found = { file?: string; problem?: string }

export async function findAdhan({ config, resolve }: SoundAdhanDeps): Promise<Found> {
  const { path } = config().adhan
  if (path === '') return {}
  try {
    return { file: await resolve(path) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { problem: error.message.replace(/^path: /, '') }
  }
}

const inOwnersWords = (path: string, problem: string) =>
  `${path}: ${problem}; the built-in chime announces prayers instead`
