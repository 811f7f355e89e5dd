import type { Duplex } from 'node:stream'
import { afterSteps } from '@manara/kit/after-steps'
import { createAnswerReader, encodeCommand } from './frames.ts'

// Many times what a look takes, also one that finds nothing.
const PATIENCE_MS = 500
const GET_FIRMWARE_VERSION = 0x02
const SAM_CONFIGURATION = 0x14
const RF_CONFIGURATION = 0x32
const IN_LIST_PASSIVE_TARGET = 0x4a
// Rising edges wake the chip; the zeros are the time its clock needs to start (UM0701-02, 7.2.11).
const WAKE_UP = Buffer.from([0x55, 0x55, ...new Uint8Array(14)])

/** The PN532 behind a line: one command at a time, each answered in time or rejected. */
export function createChip(line: Duplex) {
  const readAnswers = createAnswerReader()
  let pending: { answerTo: number; resolve(answer: Buffer): void } | undefined

  line.on('data', (bytes: Buffer) => {
    for (const answer of readAnswers(bytes)) {
      // What comes too late answers a command that was given up.
      if (pending && answer[0] === pending.answerTo + 1) pending.resolve(answer)
    }
  })

  function ask(command: number, ...parameters: number[]): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const endPatience = afterSteps(PATIENCE_MS, () => {
        pending = undefined
        reject(new Error('the PN532 does not answer'))
      })
      pending = {
        answerTo: command,
        resolve(answer) {
          pending = undefined
          endPatience()
          resolve(answer.subarray(1))
        },
      }
      line.write(encodeCommand(command, ...parameters))
    })
  }

  return {
    /** Resolves with the version of its firmware when it is ready to look for cards. */
    async wake(): Promise<string> {
      line.write(WAKE_UP)
      // Out of power-down it listens only after the first command, which it may swallow.
      await ask(SAM_CONFIGURATION, 0x01).catch(() => ask(SAM_CONFIGURATION, 0x01))
      const [, version, revision] = await ask(GET_FIRMWARE_VERSION)
      // Without this a look waits for a card forever: two tries, then "nothing".
      await ask(RF_CONFIGURATION, 0x05, 0xff, 0x01, 0x02)
      return `${version}.${revision}`
    },

    /** The UID of the card in the field, in upper-case hex. */
    async look(): Promise<string | undefined> {
      // Found, number, ATQA (2), SAK, length of the UID, UID.
      const [found, , , , , length = 0, ...uid] = await ask(IN_LIST_PASSIVE_TARGET, 1, 0)
      if (!found || uid.length < length) return undefined
      return Buffer.from(uid.slice(0, length)).toString('hex').toUpperCase()
    },
  }
}
