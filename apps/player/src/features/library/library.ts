import type { LibraryStatus, ReciterSurahs } from '@manara/player-contract/library'
import type { CardEvent } from './domain/card-events.ts'
import { placeOf } from './domain/card-folder.ts'
import { createCatalogue } from './domain/catalogue.ts'
import type { KnownFolder } from './domain/known-folder.ts'
import { shelvesOf } from './domain/shelves.ts'
import type { DurationOf } from './durations.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { resolveOnCard } from './resolve-on-card.ts'
import { type ScanDeps, scanCard } from './scan-card.ts'
import { type CardWatch, type Timer, watchCard } from './watch-card.ts'

type LibraryDeps = ScanDeps & {
  durationOf: DurationOf
  /** What can be played, or whether there is a card, is no longer what it was. */
  onChange?(status: LibraryStatus): void
  /** Called before the library itself takes notice. */
  onCard?(event: CardEvent): void
  timer?: Timer
  poll_ms?: number
}

export type Library = ReturnType<typeof createLibrary>

type Finding = {
  card_present: boolean
  folders: ReadonlyMap<string, KnownFolder>
  isChanged: boolean
  error?: string
}

const NO_CARD: Finding = { card_present: false, folders: new Map(), isChanged: true }

/** The one owner of what is on the card. Answers from memory; only scans read the card. */
export function createLibrary(deps: LibraryDeps) {
  const { card, playable, now, timer, poll_ms } = deps
  let shown = NO_CARD
  let catalogue = createCatalogue([])
  let scan: Pick<LibraryStatus, 'scanning' | 'last_scan_at' | 'scan_ms'> = {
    scanning: false,
    last_scan_at: null,
    scan_ms: null,
  }
  /** A worn card takes minutes: it is there before it has been read. */
  let isBeingRead = false
  let watching: CardWatch | undefined
  let abort = new AbortController()
  let latest = Promise.resolve()

  function show(finding: Finding) {
    const before = shown
    const isEmptyStill = before.folders.size === 0 && finding.folders.size === 0
    const isChanged = finding.isChanged && !isEmptyStill
    shown = finding
    if (isChanged) catalogue = createCatalogue(shelvesOf(finding.folders))
    watching?.follow(Array.from(finding.folders, ([path, { stamp }]) => ({ path, ...stamp })))
    const isNews = before.card_present !== finding.card_present || before.error !== finding.error
    if (isChanged || isNews) deps.onChange?.(status())
  }

  function status(): LibraryStatus {
    const { card_present } = shown
    // One that is in and does not answer is as good as none, but its owner is told.
    const error = card.problem() ?? shown.error
    return {
      card_present: card_present || isBeingRead,
      ...scan,
      reciter_count: catalogue.reciters.length,
      file_count: catalogue.fileCount,
      ...notDecoded(shown),
      ...(error === undefined ? {} : { error }),
    }
  }

  const rescan = oneAtATime(async () => {
    const { signal } = abort
    const startedAt = now()
    scan = { ...scan, scanning: true }
    const finding = await look(signal)
    isBeingRead = false
    const endedAt = now()
    scan = {
      scanning: false,
      last_scan_at: Math.floor(endedAt / 1000),
      scan_ms: Math.max(0, endedAt - startedAt),
    }
    // Aborted: the card has been taken out meanwhile, or the library has stopped.
    if (!signal.aborted) show(finding)
  })

  async function look(signal: AbortSignal): Promise<Finding> {
    if (!(await card.identity())) return NO_CARD
    isBeingRead = !signal.aborted
    try {
      const { folders, isChanged, unreadable } = await scanCard(deps, {
        known: shown.folders,
        signal,
      })
      const found = { card_present: true, folders, isChanged }
      return unreadable[0] === undefined ? found : { ...found, error: unreadable[0] }
    } catch (error) {
      return { ...NO_CARD, card_present: true, error: (error as Error).message }
    }
  }

  function onEvent(event: CardEvent) {
    deps.onCard?.(event)
    if (event === 'removed') {
      abort.abort()
      abort = new AbortController()
      isBeingRead = false
      // Forgetting is the point: what another computer does to the card may leave no trace in times.
      show(NO_CARD)
    } else {
      latest = rescan()
    }
  }

  return {
    /** Resolves after the first scan, or at once when there is no card yet. */
    async start() {
      abort = new AbortController()
      watching = watchCard({
        card,
        onEvent,
        ...(timer ? { timer } : {}),
        ...(poll_ms === undefined ? {} : { poll_ms }),
      })
      await watching.check()
      await latest
    },

    async stop() {
      watching?.stop()
      watching = undefined
      abort.abort()
      await latest
    },

    async rescan(): Promise<LibraryStatus> {
      latest = rescan()
      await latest
      return status()
    },

    status,
    reciters: () => catalogue.reciters,
    surahs: (reciter: string) => catalogue.surahs(reciter),

    /** As `surahs`, with every duration that the files tell. Reads the card the first time. */
    async timedSurahs(reciter: string): Promise<ReciterSurahs | undefined> {
      const found = catalogue.surahs(reciter)
      return found && { ...found, surahs: await Promise.all(found.surahs.map(timed)) }
    },

    /** The surah's file relative to the card. */
    find: (reciter: string, surah: number) => catalogue.file(reciter, surah),
    /** The same where one file holds the whole surah. */
    findWhole: (reciter: string, surah: number) => catalogue.whole(reciter, surah),
    /** The reciter's folder; also one that holds no whole surahs and so is no reciter's in lists. */
    folder: (reciter: string) => catalogue.folder(reciter) ?? folderNamed(shown.folders, reciter),
    locate: (relativePath: string) => catalogue.locate(relativePath),

    /** The absolute path of a playable file on the card; otherwise throws 400 naming `path`. */
    resolve: (requested: string) => resolveOnCard(card, requested, playable),
  }

  async function timed(surah: ReciterSurahs['surahs'][number]) {
    if (surah.path === null || surah.by_verse) return surah
    const duration = await deps.durationOf(`${card.mount}/${surah.path}`)
    return duration === undefined ? surah : { ...surah, duration }
  }
}

function notDecoded({ folders }: Finding): Pick<LibraryStatus, 'not_decoded'> {
  const kinds = [...folders.values()].flatMap((folder) => folder.notDecoded)
  if (kinds.length === 0) return {}
  return { not_decoded: { files: kinds.length, kinds: [...new Set(kinds)].sort() } }
}

function folderNamed(folders: Finding['folders'], name: string): string | undefined {
  if (folders.has(name)) return name
  const wanted = name.normalize('NFC')
  return [...folders.keys()].sort().find((path) => placeOf(path)[1].normalize('NFC') === wanted)
}
