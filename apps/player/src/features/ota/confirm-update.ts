import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { Logger } from '@manara/kit/logging'
import { Manifest, type Slot } from '@manara/player-contract/firmware'
import type { Clock } from '../../ports/clock.ts'
import { condemned, confirmed } from './domain/boot-plan.ts'
import type { Slots } from './slots.ts'
import type { TrustedKeys } from './trusted-keys.ts'

export type ConfirmDeps = {
  slots: Slots
  /** What runs; undefined without a launcher. */
  slot: Slot | undefined
  keys: Pick<TrustedKeys, 'add'>
  clock: Pick<Clock, 'after'>
  /** How long a new version has to stay up. */
  afterMs: number
  /** Why the box is not well, or undefined when it is. */
  whyUnwell(): Promise<string | undefined>
  onProven(): void
  restart(): void
  log: Pick<Logger, 'info' | 'error'>
}

/** A new version that is up and well after a while is marked as good; one that is not gives way. */
export function createConfirmation(deps: ConfirmDeps) {
  const { slots, slot, log } = deps
  const isPending = () => slot !== undefined && slots.readRecord().pending?.slot === slot
  let cancel = () => {}
  let deciding: Promise<void> = Promise.resolve()

  async function decide() {
    const problem = await deps.whyUnwell().catch((error: Error) => error.message)
    if (problem !== undefined) {
      log.error({ problem }, 'the new version is not well: going back')
      slots.writeRecord(condemned(slots.readRecord(), problem))
      return deps.restart()
    }
    trustAddedKey()
    slots.writeRecord(confirmed(slots.readRecord()))
    rmSync(slots.snapshot, { force: true })
    log.info({ slot }, 'the new version has proven itself')
    deps.onProven()
  }

  /** Before the record: after it this would not be tried again. */
  function trustAddedKey() {
    const file = path.join(slots.dir(slot ?? 'factory'), 'manifest.json')
    const { adds_key } = Manifest.parse(JSON.parse(readFileSync(file, 'utf8')))
    if (adds_key) deps.keys.add(adds_key)
  }

  return {
    start() {
      if (!isPending()) return
      cancel = deps.clock.after(deps.afterMs, () => {
        deciding = decide().catch((error) => log.error({ err: error }, 'confirming the update'))
      })
    },
    settled: () => deciding,
    stop: () => cancel(),
  }
}
