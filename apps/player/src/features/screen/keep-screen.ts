import { AppError } from '@manara/kit/errors'
import type { EventBus } from '@manara/kit/event-bus'
import type { Logger } from '@manara/kit/logging'
import type { PlayerEvents } from '@manara/player-contract/events'
import type { Clock } from '../../ports/clock.ts'
import type { OpenPainter, Panel, Scene } from '../../ports/screen.ts'
import { bmp } from './domain/bmp.ts'
import type { Facts, Trouble } from './domain/facts.ts'
import { withoutLink } from './domain/pairing.ts'
import { sceneOf } from './domain/scene.ts'
import { watchTroubles } from './watch-troubles.ts'

export type ScreenDeps = {
  facts(): Facts
  openPainter: OpenPainter
  /** Undefined on a box without one: then nothing is drawn until a picture is asked for. */
  panel: Panel | undefined
  clock: Clock
  events: EventBus<PlayerEvents>
  log: Pick<Logger, 'warn'>
  /** What the owner sees among the failures of the box; undefined when all is well again. */
  reportProblem(problem: string | undefined): void
}

export type Screen = ReturnType<typeof keepScreen>

const TICK_MS = 1_000

/** Keeps the panel at what the box does: looks at every event and every second, draws what differs. */
export function keepScreen({ facts, openPainter, panel, clock, events, ...deps }: ScreenDeps) {
  let shown = ''
  let drawing: Promise<void> | undefined
  let isStale = false
  let reported: string | undefined
  const troubles = watchTroubles(clock)
  const ends: (() => void)[] = []

  function scene(): Scene {
    const known = facts()
    const trouble = troubles.newest(known)
    return sceneOf({ ...known, newestTrouble: trouble?.kind }, trouble)
  }

  /** Counts from its last time, also when it is the same again and when nobody looks. */
  const renewTrouble = (kind: Trouble['kind']) => (told: { error?: string | undefined }) => {
    if (!told.error) return
    troubles.again(kind)
    scene()
  }

  function report(problem: string | undefined) {
    if (problem === reported) return
    reported = problem
    deps.reportProblem(problem)
    if (problem) deps.log.warn({ problem }, 'the screen cannot be shown')
  }

  async function draw(on: Panel) {
    const next = scene()
    const name = JSON.stringify(next)
    if (name === shown) return
    const painter = await openPainter()
    // If it fails half-way nobody knows what is to be seen.
    shown = ''
    await on.show(painter.paint(next, on.scale))
    shown = name
    report(undefined)
  }

  /** What comes while a picture is being shown is looked at after it; a screen never stops the box. */
  function refresh() {
    if (!panel) return
    isStale = drawing !== undefined
    drawing ??= draw(panel)
      .catch((error: Error) => report(error.message))
      .finally(() => {
        drawing = undefined
        if (isStale) refresh()
      })
  }

  /** Resolves when the panel shows what has happened until now. */
  async function settled() {
    while (drawing) await drawing
  }

  return {
    settled,

    /** The same picture as on the panel, or as on one that were there, but for a code to pair with. */
    async screenshot(): Promise<Buffer> {
      const painter = await openPainter().catch((cause: Error) => {
        throw new AppError(500, `the screen cannot be drawn here: ${cause.message}`, { cause })
      })
      const known = scene()
      return bmp(painter.paint(known.screen === 'pairing' ? withoutLink(known) : known, 1))
    },

    start() {
      ends.push(
        events.on('playback', renewTrouble('playback')),
        events.on('ota', renewTrouble('update')),
      )
      if (!panel) return
      ends.push(events.onAny(refresh), clock.every(TICK_MS, refresh))
      refresh()
    },

    async stop() {
      for (const end of ends.splice(0)) end()
      await settled()
      await panel?.close()
    },
  }
}
