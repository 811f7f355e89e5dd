import type { Http } from '@manara/kit/http'
import { isAdhanOver } from '@manara/player-contract/prayer'
import type { Target } from '@manara/player-contract/target'
import type { Player } from '../features/playback/player.ts'
import { createCardStore } from '../features/rfid/cards.store.ts'
import { createLastScan } from '../features/rfid/last-scan.ts'
import { createTaps } from '../features/rfid/on-tap.ts'
import { rfidRoutes } from '../features/rfid/rfid.routes.ts'
import { watchReader } from '../features/rfid/watch-reader.ts'
import type { SettingsStore } from '../features/settings/settings.store.ts'
import type { Outside } from './area.ts'

type CardNeeds = {
  player: Player
  settings: SettingsStore
  playTarget(target: Target): Promise<void>
  checkTarget(target: Target, field: string): Promise<void>
  /** What does not work, or the reader, is another now. */
  tellSystem(): void
}

/** The reader, the registered cards, and what a tap sets off. */
export function composeCards(outside: Outside, needs: CardNeeds) {
  const { clock, db, events, log, problems, reader, wall } = outside
  const { player, settings } = needs
  const cards = createCardStore(db, wall.now)
  const scan = createLastScan(clock, (uid) => cards.find(uid) !== undefined)
  const taps = createTaps({
    ...{ cards, scan, events, log },
    removalPolicy: () => settings.read('card_removal'),
    playTarget: needs.playTarget,
    command: (type) => player.command({ type }),
    playback: player.status,
    choice: player.choices,
    reportProblem(problem) {
      problems.report('cards', problem)
      needs.tellSystem()
    },
  })
  const watch = watchReader({
    ...{ clock, log, reader, taps },
    hasCards: () => cards.all().length > 0,
    reportProblem: (problem) => problems.report('nfc', problem),
    onReader: needs.tellSystem,
    onAdhanOver: (listener) => events.on('adhan', (adhan) => isAdhanOver(adhan) && listener()),
  })

  return {
    ...watch,
    /** The cards that play a learner's lessons go with the learner. */
    forgetLearner(id: number) {
      for (const { uid, binding } of cards.all()) {
        if (binding.type === 'learner' && binding.id === id) cards.remove(uid)
      }
    },
    routes(api: Http) {
      const checkBinding = (binding: Target) => needs.checkTarget(binding, 'binding')
      rfidRoutes(api, { cards, scan, events, checkBinding, onChange: taps.changed })
    },
  }
}
