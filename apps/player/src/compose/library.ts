import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { Http } from '@manara/kit/http'
import { createDurationStore } from '../features/library/durations.store.ts'
import { createDurationOf } from '../features/library/durations.ts'
import { libraryRoutes } from '../features/library/library.routes.ts'
import { createLibrary } from '../features/library/library.ts'
import { partRoutes } from '../features/library/parts.routes.ts'
import type { Place } from '../features/library/uploads/upload-place.ts'
import { uploadRoutes } from '../features/library/uploads/uploads.routes.ts'
import { createUploads, type UploadDeps } from '../features/library/uploads/uploads.ts'
import type { Outside } from './area.ts'

export type LibraryParts = {
  /** File endings the engine can play, without the dot. */
  playable: readonly string[]
  uploads: Pick<UploadDeps, 'limits' | 'probe' | 'newId'>
}

/** What is on the card, and what comes to it over the network. */
export function composeLibrary(outside: Outside, { playable, ...parts }: LibraryParts) {
  const { card, clock, db, events, wall } = outside
  const durations = createDurationStore(db, clock)
  const library = createLibrary({
    card,
    playable,
    now: wall.now,
    durationOf: createDurationOf({ card, cache: durations.cache }),
    onChange: (status) => events.emit('library', status),
    onCard(event) {
      if (event !== 'changed') events.emit('storage', { present: event === 'inserted' })
    },
  })

  const onCard: Place = {
    root: card.mount,
    whyNot: async () => ((await card.identity()) ? undefined : 'is not in'),
  }
  const uploads = createUploads({
    ...parts.uploads,
    ...{ card: onCard, playable, now: wall.now },
    sounds: soundsIn(outside.dataDir),
    onChange: (upload) => events.emit('upload', upload),
    onPlaced: () => void library.rescan(),
  })

  return {
    library,
    routes(api: Http) {
      libraryRoutes(api, { library })
      partRoutes(api)
      uploadRoutes(api, { uploads })
    },
    start: () => library.start(),
    async stop() {
      await library.stop()
      durations.flush()
    },
  }
}

function soundsIn(dataDir: string): Place {
  const root = path.join(dataDir, 'sounds')
  return { root, whyNot: () => mkdir(root, { recursive: true }).then(() => undefined) }
}
