import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import path from 'node:path'
import { createInterface } from 'node:readline'

export const hasMpd = () => spawnSync('mpd', ['--version']).status === 0

/** A real MPD on a library of its own below `folder`, spoken to over its socket. */
export async function startMpd(folder: string) {
  const address = path.join(folder, 'socket')
  mkdirSync(path.join(folder, 'music'))
  writeFileSync(path.join(folder, 'mpd.conf'), configuration(folder, address))
  const child = spawn('mpd', ['--no-daemon', path.join(folder, 'mpd.conf')], { stdio: 'ignore' })
  const socket = await reach(address, child)
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]()
  await lines.next()

  async function ask(command: string): Promise<string> {
    socket.write(`${command}\n`)
    const reply: string[] = []
    for (;;) {
      const { value, done } = await lines.next()
      if (done || value.startsWith('ACK')) throw new Error(`mpd: ${value ?? 'connection closed'}`)
      if (value === 'OK') return reply.join('\n')
      reply.push(value)
    }
  }

  // The event may have come before `idle` is sent; mpd keeps it for us.
  async function settled() {
    while (/^updating_db:/m.test(await ask('status'))) await ask('idle update')
  }

  await settled()
  return {
    ask,
    async update(): Promise<number> {
      const startedAt = performance.now()
      await ask('update')
      await settled()
      return performance.now() - startedAt
    },
    async stop() {
      socket.destroy()
      const ended = once(child, 'exit')
      child.kill()
      await ended
    },
  }
}

const configuration = (folder: string, address: string) => `
music_directory "${folder}/music"
db_file "${folder}/database"
log_file "${folder}/mpd.log"
bind_to_address "${address}"
follow_outside_symlinks "yes"
audio_output {
  type "null"
  name "null"
}
`

/** Tries until mpd listens, or has given up. */
async function reach(address: string, child: ChildProcess): Promise<Socket> {
  while (child.exitCode === null) {
    const socket = connect(address)
    try {
      await once(socket, 'connect')
      return socket
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  throw new Error(`mpd ended with ${child.exitCode}`)
}
