import type { Http } from '@manara/kit/http'
import { createDurationStore } from '../features/library/durations.store.ts'
import { createDurationOf } from '../features/library/durations.ts'
import { libraryRoutes } from '../features/library/library.routes.ts'
import { createLibrary } from '../features/library/library.ts'
import type { Outside } from './area.ts'

/** What is on the card. `playable` are file endings the engine can play, without the dot. */
export function composeLibrary(outside: Outside, playable: readonly string[]) {
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

  return {
    library,
    routes: (api: Http) => libraryRoutes(api, { library }),
    start: () => library.start(),
    async stop() {
      await library.stop()
      durations.flush()
    },
  }
}
