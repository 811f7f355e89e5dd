import { mkdir } from 'node:fs/promises'
import type { Http } from '@manara/kit/http'
import type { LibraryStatus } from '@manara/player-contract/library'
import type { VersesReport } from '@manara/player-contract/verses'
import { createDurationStore } from '../features/library/durations.store.ts'
import { createDurationOf } from '../features/library/durations.ts'
import { libraryRoutes } from '../features/library/library.routes.ts'
import { createLibrary } from '../features/library/library.ts'
import { partRoutes } from '../features/library/parts.routes.ts'
import type { Place } from '../features/library/uploads/upload-place.ts'
import { uploadRoutes } from '../features/library/uploads/uploads.routes.ts'
import { createUploads, type UploadDeps } from '../features/library/uploads/uploads.ts'
import { createKnownVerses } from '../features/library/verses/known-verses.ts'
import { createSearch } from '../features/library/verses/search-verses.ts'
import { thinkInThread } from '../features/library/verses/think.ts'
import { versesRoutes } from '../features/library/verses/verses.routes.ts'
import { createVerseStore } from '../features/library/verses/verses.store.ts'
import { keptSounds } from '../features/prayer/find-kept-sound.ts'
import type { MeasureSound } from '../ports/sound-levels.ts'
import type { Outside } from './area.ts'

/** A sound card, however full, is read in less; from a worn one prayers are called all the same. */
const FIRST_SCAN_MS = 30_000

export type LibraryParts = {
  measure: MeasureSound
  /** File endings the engine can play, without the dot. */
  playable: readonly string[]
  uploads: Pick<UploadDeps, 'limits' | 'probe' | 'newId'>
}

/** What is on the card, and what comes to it over the network. */
export function composeLibrary(outside: Outside, { playable, ...parts }: LibraryParts) {
  const { card, clock, db, events, log, wall } = outside
  const durations = createDurationStore(db, clock, log)
  const durationOf = createDurationOf({ card, cache: durations.cache })
  const tell = (status: LibraryStatus) => events.emit('library', status)
  const library = createLibrary({
    card,
    playable,
    now: wall.now,
    durationOf,
    onChange: tell,
    onCard(event) {
      if (event !== 'changed') events.emit('storage', { present: event === 'inserted' })
    },
  })

  const whyNoCard = () => card.problem()?.replace(/^the card /, '') ?? 'is not in'
  const onCard: Place = {
    root: card.mount,
    whyNot: async () => ((await card.identity()) ? undefined : whyNoCard()),
  }
  const uploads = createUploads({
    ...parts.uploads,
    ...{ card: onCard, playable, clock },
    now: () => (wall.isSet() ? wall.now() : undefined),
    sounds: soundsIn(outside.dataDir),
    onChange: (upload) => events.emit('upload', upload),
    onPlaced: () => void library.rescan(),
  })

  const finishUploads = () =>
    void uploads.finishWhole().catch((error) => log.warn({ err: error }, 'finishing uploads'))

  const verseStore = createVerseStore(db, wall.now)
  const search = createSearch({
    ...{ log, store: verseStore, measure: parts.measure },
    conclude: (job) => verses.conclude(job),
    onProgress: (event) => events.emit('verses', event),
  })
  const verses = createKnownVerses({
    ...{ card, playable, durationOf, search, store: verseStore, think: thinkInThread },
    folder: library.folder,
    find: library.findWhole,
  })
  const ends: (() => void)[] = []

  /** The scan goes on by itself where it takes too long to be waited for. */
  async function firstScan() {
    const { promise: isLate, resolve } = Promise.withResolvers<void>()
    const cancel = clock.after(FIRST_SCAN_MS, resolve)
    await Promise.race([library.start(), isLate]).finally(cancel)
  }

  /** What was marked or forgotten holds for what plays now, too. */
  const telling =
    <Asked>(change: (asked: Asked) => Promise<VersesReport>) =>
    async (asked: Asked) => {
      const report = await change(asked)
      const { reciter, surah, source } = report
      const state = source === 'none' ? 'none' : 'found'
      events.emit('verses', { reciter, surah, state, percent: 100 })
      return report
    }

  return {
    library,
    durationOf,
    /** Where the verses of a surah lie, or why that is not known. */
    versesOf: verses.versesOf,
    settled: search.settled,
    routes(api: Http) {
      libraryRoutes(api, { library, onRescan: tell })
      versesRoutes(api, {
        verses: { ...verses, mark: telling(verses.mark), forget: telling(verses.forget) },
      })
      partRoutes(api)
      uploadRoutes(api, { uploads })
    },
    start() {
      ends.push(
        card.onProblem(() => {
          outside.problems.report('card', card.problem())
          events.emit('library', library.status())
          // What could not be read meanwhile is looked at again.
          if (!card.problem()) void library.rescan()
        }),
        events.on('playback', ({ state }) =>
          search.setBusy(state === 'playing' || state === 'buffering'),
        ),
        events.on('storage', ({ present }) => present || search.callOffAll()),
        events.on('storage', ({ present }) => present && finishUploads()),
      )
      finishUploads()
      return firstScan()
    },
    async stop() {
      for (const end of ends.splice(0)) end()
      await search.stop()
      await library.stop()
      durations.flush()
    },
  }
}

function soundsIn(dataDir: string): Place {
  const root = keptSounds(dataDir)
  return { root, whyNot: () => mkdir(root, { recursive: true }).then(() => undefined) }
}
