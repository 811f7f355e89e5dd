import type { Snapshot } from '@manara/player-contract/events'
import { createPairing, type PairingDeps } from '../features/pairing/pairing.ts'
import type { Area, Outside } from './area.ts'
import { composeBackup } from './backup.ts'
import { type ButtonParts, composeButtons } from './buttons.ts'
import { composeCards } from './cards.ts'
import { composeFavorites } from './favorites.ts'
import { composeHifz } from './hifz.ts'
import { composeHouse, type HouseParts } from './house.ts'
import { composeLibrary, type LibraryParts } from './library.ts'
import { composeOccasions } from './occasions.ts'
import { composePlayback } from './playback.ts'
import { composeScreen } from './screen.ts'
import { composeSettings } from './settings.ts'
import { composeSoc, type SocParts } from './soc.ts'
import { composeSystem, type Reset } from './system.ts'
import { composeUpdates, type UpdateParts } from './updates.ts'

export type Parts = Outside & {
  library: LibraryParts
  /** Undefined where no device was named. */
  buttons: ButtonParts | undefined
  /** Undefined where no broker was named. */
  house: HouseParts | undefined
  machineName: string
  updates: UpdateParts
  soc: SocParts
  reset: Reset
  uptime(): number
  dashboardCount(): number
  pairing: Omit<PairingDeps, 'clock' | 'events'>
}

/** Hands each area what it needs of the others. Nothing runs before `start`. */
export function composePlayer(parts: Parts) {
  const { machineName, reset, uptime, dashboardCount } = parts
  const settingsArea = composeSettings(parts, {
    machineName,
    applyVolumeLimit: () => player.limitVolume(),
  })
  const { settings } = settingsArea
  const libraryArea = composeLibrary(parts, parts.library)
  const { library } = libraryArea
  const saved = composeFavorites(parts)
  const { favorites, stations } = saved
  const playback = composePlayback(parts, {
    ...{ library, favorites, stations, settings },
    versesOf: libraryArea.versesOf,
    durationOf: libraryArea.durationOf,
  })
  const { player, tracks } = playback
  const occasions = composeOccasions(parts, {
    ...{ player, tracks, library, favorites, settings },
    playPart: playback.playPart,
    sleep: () => system.fallAsleep(),
    lessons: {
      playLesson: (id, entrance) => hifz.lessons.playNext(id, entrance),
      isLearner: (id) => hifz.isLearner(id),
      gradeLast: (grade) => hifz.lessons.gradeLast(grade),
    },
  })
  const updates = composeUpdates(parts, parts.updates, player)
  const soc = composeSoc(parts, parts.soc, {
    uptime,
    hostname: () => settingsArea.status().hostname,
  })
  const system = composeSystem(parts, {
    ...{ player, library, settings, reset, uptime, dashboardCount },
    nextWake: occasions.nextWake,
    beforeSleep() {
      hifz.beforeSleep()
      return playback.beforeSleep()
    },
    isUpdating: updates.isUpdating,
    socState: soc.state,
    sayGoodbye: soc.goodbye,
  })
  const backup = composeBackup(parts, { player, reset, isUpdating: updates.isUpdating })
  const cards = composeCards(parts, {
    ...{ player, settings },
    playTarget: occasions.playTarget,
    checkTarget: occasions.checkTarget,
    tellSystem: system.tell,
  })
  const hifz = composeHifz(parts, {
    settings,
    versesOf: libraryArea.versesOf,
    playTarget: occasions.playTarget,
    forgetCards: cards.forgetLearner,
  })
  const pairing = createPairing({ ...parts, ...parts.pairing })
  const screen = composeScreen(parts, {
    ...{ player, library, settings, pairing },
    prayer: occasions.prayerStatus,
    update: updates.status,
  })
  const { playTarget } = occasions
  const buttons = composeButtons(parts, parts.buttons, {
    ...{ player, playTarget },
    pair: pairing.press,
  })
  const house = composeHouse(parts, parts.house, {
    ...{ player, playTarget },
    prayer: occasions.prayerStatus,
    hostname: () => settingsArea.status().hostname,
  })
  const startOrder: Area[] = [
    ...[settingsArea, system, libraryArea, saved, playback],
    ...[occasions, updates, screen, cards, hifz, buttons, house, soc],
  ]

  return {
    player,
    library,
    /** A token that was not the box's own. */
    tokenFailure: soc.tokenFailure,
    hostname: () => settingsArea.status().hostname,
    language: () => settings.read('language'),
    // In the order in which the description of the API shows them.
    areas: [
      ...[playback, libraryArea, saved, cards, hifz, occasions],
      ...[settingsArea, soc, system, backup, updates, screen],
    ],

    snapshot: (): Snapshot => ({
      playback: player.status(),
      library: library.status(),
      reciters: [...library.reciters()],
      queue: playback.queue(),
      sleep: playback.sleep(),
      favorites: favorites.all(),
      stations: stations.all(),
      settings: settingsArea.status(),
      battery: system.battery(),
      prayer: occasions.prayerStatus(),
      schedules: occasions.allSchedules(),
      ota: updates.status(),
      system: system.status(),
    }),

    async start() {
      pairing.start()
      // Before the card is read, which may take a while: who plays something meanwhile is not to hear
      // it at the volume that the engine begins with.
      await player.start()
      for (const area of startOrder) await area.start()
    },

    /** Resolves when what was due or asked until now is done. */
    async settled() {
      for (const area of [occasions, updates, cards, buttons, house, player, screen, soc])
        await area.settled()
    },

    async stop() {
      for (const area of startOrder.toReversed()) await area.stop()
      pairing.stop()
    },
  }
}
