import { AppError, invalid, notFound } from '@manara/kit/errors'
import {
  type KnownVerse,
  type PinBody,
  rangeProblem,
  type SurahVerses,
  type VersesReport,
} from '@manara/player-contract/verses'
import type { Card, FileStamp } from '../../../ports/card.ts'
import type { DurationOf } from '../durations.ts'
import { type Finding, type FoundVerse, SURE } from './domain/find-verses.ts'
import { markVerses } from './domain/mark-verses.ts'
import { spreadVerses } from './domain/spread-verses.ts'
import { checkTiming } from './domain/timing.ts'
import { whyNotComplete } from './domain/verse-file.ts'
import { listTimingFiles, listVerseFiles } from './list-sources.ts'
import type { Search, SearchJob } from './search-verses.ts'
import { rememberTimings, type Think } from './think.ts'
import type { Heard, VerseStore } from './verses.store.ts'

export type KnownVersesDeps = {
  card: Pick<Card, 'list' | 'fileStamp' | 'openFile' | 'resolveFile' | 'mount'>
  playable: readonly string[]
  /** The reciter's folder, also of one whose folder holds verses only. */
  folder(reciter: string): string | undefined
  find(reciter: string, surah: number): string | undefined
  durationOf: DurationOf
  store: VerseStore
  search: Pick<Search, 'want' | 'callOff'>
  think: Think
}

type Surah = { reciter: string; surah: number }
/** The file of a whole surah. */
type Whole = Surah & { path: string; file: FileStamp }

export type KnownVerses = ReturnType<typeof createKnownVerses>

/** Where the verses of a recording lie: by files, by a timing file, or found by its pauses. */
export function createKnownVerses(deps: KnownVersesDeps) {
  const { card, store, think } = deps
  const readTiming = rememberTimings(think, card)
  const solving = new Map<string, Promise<Finding>>()

  async function report(of: Surah): Promise<VersesReport> {
    const folder = deps.folder(of.reciter)
    if (folder === undefined) throw notFound('reciter', of.reciter)
    const files = await listVerseFiles(deps, folder, of.surah)
    const incomplete = whyNotComplete(of.surah, files)
    if (files.size > 0 && incomplete === undefined) return byFiles(of, files)
    const whole = await wholeOf(of)
    const nothing = `surah ${of.surah} of this reciter is not on the card`
    if (!whole) return reportOf(of, 'none', files.size > 0 ? (incomplete ?? '') : nothing)
    const heard = store.heard(whole.file)
    return heard ? byListening(whole, heard) : waitFor(whole)
  }

  async function byFiles(of: Surah, files: ReadonlyMap<number, string>): Promise<VersesReport> {
    const inOrder = [...files].sort(([a], [b]) => a - b)
    const verses = await Promise.all(
      inOrder.map(async ([verse, path]) => {
        const end = (await deps.durationOf(`${card.mount}/${path}`)) ?? 0
        const sure = end > 0
        return { verse, path, start: 0, end, margin: sure ? 9 : 0, sure, pinned: false }
      }),
    )
    // The others are there all the same: one bad copy must not keep a surah from being heard.
    const silent = verses.find(({ sure }) => !sure)
    const reason = silent ? `${silent.path} does not say how long it is` : ''
    return { ...reportOf(of, 'files', reason), verses }
  }

  async function wholeOf(of: Surah): Promise<Whole | undefined> {
    const path = deps.find(of.reciter, of.surah)
    const absolute = path === undefined ? undefined : await card.resolveFile(path)
    const file = absolute === undefined ? undefined : await card.fileStamp(absolute)
    return path !== undefined && file ? { ...of, path, file } : undefined
  }

  function waitFor(whole: Whole): VersesReport {
    const { reciter, surah, file } = whole
    const refusal = deps.search.want({ reciter, surah, file })
    const reason =
      refusal ?? 'the recording has still to be listened to, which is done while nothing plays'
    return { ...reportOf(whole, 'none', reason), searching: refusal === undefined }
  }

  async function byListening(whole: Whole, heard: Heard): Promise<VersesReport> {
    const marks = store.marks(whole.file)
    const timing = await byTiming(whole, heard)
    if (timing.verses) {
      const verses = markVerses(timing.verses, marks)
      return { ...reportOf(whole, 'timing', timing.reason), verses: shown(whole, verses, marks) }
    }
    const finding = heard.spans
      ? await solve(whole, heard)
      : { verses: null, reason: `it cannot be listened to: ${heard.problem}` }
    const reason = [timing.reason, finding.verses ? '' : finding.reason].filter(Boolean).join('; ')
    if (finding.verses) {
      return { ...reportOf(whole, 'found', reason), verses: shown(whole, finding.verses, marks) }
    }
    const duration = heard.duration_ms || (await deps.durationOf(whole.file.path)) || 0
    if (marks.size === 0 || duration === 0) return reportOf(whole, 'none', reason)
    const spread = spreadVerses(whole.surah, duration, marks)
    return { ...reportOf(whole, 'found', reason), verses: shown(whole, spread, marks) }
  }

  /** The first timing file that is believed; the reason tells which were not. */
  async function byTiming(whole: Whole, heard: Heard) {
    const reasons: string[] = []
    const duration_ms = heard.duration_ms || (await deps.durationOf(whole.file.path)) || 0
    for (const path of await listTimingFiles(card, whole.path, whole.surah)) {
      const name = path.slice(path.lastIndexOf('/') + 1)
      try {
        const absolute = await card.resolveFile(path)
        if (absolute === undefined) continue
        const timed = await readTiming(absolute, whole.surah)
        if (timed.length === 0) continue
        const checked = checkTiming(whole.surah, timed, { duration_ms, spans: heard.spans })
        if (checked.verses) {
          const unheard = heard.spans
            ? ''
            : `${name} was not compared with the sound: ${heard.problem}`
          return { verses: checked.verses, reason: unheard }
        }
        reasons.push(`${name}: ${checked.reason}`)
      } catch (error) {
        reasons.push(`${name}: ${(error as Error).message}`)
      }
    }
    return { verses: null, reason: reasons.join('; ') }
  }

  /** Found once for all that ask at the same time. */
  function solve({ surah, file }: Whole, { spans = [] }: Heard): Promise<Finding> {
    const known = store.found(file)
    if (known) return Promise.resolve(known)
    const under = solving.get(file.path)
    if (under) return under
    const work = think
      .find(surah, spans, store.marks(file))
      .then((finding) => {
        store.keepFound(file, finding)
        return finding
      })
      .finally(() => solving.delete(file.path))
    solving.set(file.path, work)
    return work
  }

  async function mark({ reciter, surah, verse, start }: PinBody): Promise<VersesReport> {
    const whole = await wholeToMark({ reciter, surah }, verse)
    const duration =
      store.heard(whole.file)?.duration_ms || (await deps.durationOf(whole.file.path))
    if (duration !== undefined && start >= duration) {
      throw invalid('start', `the recording is ${duration} ms long`)
    }
    for (const [other, at] of store.marks(whole.file)) {
      if (other === verse || Math.sign(other - verse) === Math.sign(at - start)) continue
      const side = other < verse ? 'after' : 'before'
      throw invalid('start', `must come ${side} verse ${other}, which is marked at ${at} ms`)
    }
    // A solution that was begun without this mark must not be kept as the one with it.
    await solving.get(whole.file.path)?.catch(() => {})
    store.mark(whole.file, verse, start)
    return report({ reciter, surah })
  }

  async function wholeToMark(of: Surah, verse: number): Promise<Whole> {
    const { source, verses } = await report(of)
    const count = verses.length > 0 ? verses.length : undefined
    const problem = rangeProblem(of.surah, { from: verse, to: verse }, count)
    if (problem) throw invalid('verse', problem.message)
    if (source === 'files') throw invalid('verse', 'every verse is a file of its own here')
    const whole = await wholeOf(of)
    if (!whole) throw invalid('surah', `${of.reciter} has no surah ${of.surah} on the card`)
    return whole
  }

  return {
    report,
    mark,

    /** Forgets what was marked by ear, and calls off a search that is under way. */
    async forget(of: Surah): Promise<VersesReport> {
      if (deps.folder(of.reciter) === undefined) throw notFound('reciter', of.reciter)
      const whole = await wholeOf(of)
      if (!whole) throw invalid('surah', `${of.reciter} has no surah ${of.surah} on the card`)
      await solving.get(whole.file.path)?.catch(() => {})
      deps.search.callOff(whole.file.path)
      store.forgetMarks(whole.file)
      return store.heard(whole.file)
        ? report(of)
        : reportOf(of, 'none', 'the search was called off')
    },

    /** After a recording was listened to: whether its verses are known now. */
    async conclude({ reciter, surah }: SearchJob): Promise<boolean> {
      return (await report({ reciter, surah })).source !== 'none'
    },

    async versesOf(reciter: string, surah: number): Promise<SurahVerses> {
      try {
        const { source, reason, verses } = await report({ reciter, surah })
        if (source === 'none') return { verses: null, reason }
        return { verses: verses.map(knownVerse) }
      } catch (error) {
        if (error instanceof AppError) return { verses: null, reason: error.message }
        throw error
      }
    },
  }
}

const reportOf = (
  { reciter, surah }: Surah,
  source: VersesReport['source'],
  reason: string,
): VersesReport => ({ reciter, surah, source, reason, searching: false, verses: [] })

const shown = (
  { path }: Whole,
  verses: readonly FoundVerse[],
  marks: ReadonlyMap<number, number>,
): VersesReport['verses'] =>
  verses.map(({ start, end, margin }, index) => ({
    verse: index + 1,
    start,
    end,
    margin,
    sure: margin >= SURE,
    pinned: marks.has(index + 1),
    path,
  }))

const knownVerse = ({
  verse,
  path,
  start,
  end,
  sure,
  margin,
}: VersesReport['verses'][number]): KnownVerse => ({
  verse,
  path,
  start_ms: start,
  end_ms: end,
  sure,
  margin,
})
