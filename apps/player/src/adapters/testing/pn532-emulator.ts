import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, openSync } from 'node:fs'
import path from 'node:path'
import { ReadStream } from 'node:tty'

/**
 * A PN532 at one end of a pair of pseudo-terminals. It is as stubborn as the chip: asleep until it
 * is woken, and without a limit of tries a look waits for a card forever.
 */
export async function startPn532Emulator(folder: string) {
  const device = path.join(folder, 'tty-host')
  let socat: ChildProcess
  let line: ReadStream
  let buffer: Buffer
  let isAwake: boolean
  let hasLimit: boolean
  let isMute = false
  let noise = Buffer.alloc(0)
  let card: Buffer | undefined
  let waitsForCard = false

  async function plugIn() {
    isAwake = hasLimit = waitsForCard = false
    buffer = Buffer.alloc(0)
    const chipEnd = path.join(folder, 'tty-chip')
    socat = spawn(
      'socat',
      ['-d', '-d', `pty,raw,echo=0,link=${device}`, `pty,raw,echo=0,link=${chipEnd}`],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    )
    await saysReady(socat)
    line = new ReadStream(openSync(chipEnd, constants.O_RDWR | constants.O_NOCTTY))
    line.on('error', () => line.destroy())
    line.on('data', receive)
  }

  function receive(bytes: Buffer) {
    if (bytes.includes(0x55)) isAwake = true
    buffer = Buffer.concat([buffer, bytes])
    for (;;) {
      const start = buffer.indexOf(Buffer.from([0x00, 0x00, 0xff]))
      const length = buffer[start + 3]
      if (start < 0 || length === undefined || buffer.length < start + 7 + length) return
      const command = buffer.subarray(start + 5, start + 5 + length)
      buffer = buffer.subarray(start + 7 + length)
      if (isAwake && !isMute && command[0] === 0xd4) obey(command.subarray(1))
    }
  }

  function obey(command: Buffer) {
    line.write(Buffer.from([0x00, 0x00, 0xff, 0x00, 0xff, 0x00]))
    switch (command[0]) {
      case 0x02:
        return say(0x03, 0x32, 0x01, 0x06, 0x07)
      case 0x14:
        return say(0x15)
      case 0x32:
        if (command[1] === 0x05 && command[4] !== 0xff) hasLimit = true
        return say(0x33)
      case 0x4a:
        if (!card && !hasLimit) waitsForCard = true
        else tellTarget()
    }
  }

  function tellTarget() {
    if (card) say(0x4b, 0x01, 0x01, 0x00, 0x44, 0x00, card.length, ...card)
    else say(0x4b, 0x00)
  }

  function say(...answer: number[]) {
    const data = [0xd5, ...answer]
    const sum = data.reduce((total, byte) => total + byte, 0)
    const frame = [0x00, 0x00, 0xff, data.length, 0x100 - data.length, ...data, -sum & 0xff, 0x00]
    // In pieces, as a slow line delivers them.
    line.write(noise)
    line.write(Buffer.from(frame.slice(0, 5)))
    line.write(Buffer.from(frame.slice(5)))
  }

  async function unplug() {
    line.destroy()
    if (socat.exitCode !== null || socat.signalCode !== null) return
    socat.kill('SIGKILL')
    await once(socat, 'close')
  }

  await plugIn()
  return {
    device,
    plugIn,
    unplug,
    put(uid: string) {
      card = Buffer.from(uid, 'hex')
      if (waitsForCard) tellTarget()
      waitsForCard = false
    },
    lift() {
      card = undefined
    },
    /** It hangs: takes commands and answers none. */
    mute(isSilent = true) {
      isMute = isSilent
    },
    /** Put before every answer from now on. */
    disturb(bytes: Buffer) {
      noise = Buffer.from(bytes)
    },
  }
}

async function saysReady(socat: ChildProcess) {
  let said = ''
  for await (const text of socat.stderr ?? []) {
    said += text
    if (said.includes('starting data transfer')) break
  }
}
