import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Duplex } from 'node:stream'
import { createIpc, type Ipc } from './ipc.ts'

export type MpvProcess = {
  pid: number
  ipc: Ipc
  /** Resolves with the reason when it is gone. */
  exited: Promise<string>
  isAlive(): boolean
  kill(): void
}

export type MpvSettings = {
  /** The program, when it is not the `mpv` on the path. */
  command?: string
  /** mpv's name for the output driver, or undefined for its own choice. */
  ao?: string | undefined
  /** One of the driver's devices. */
  device?: string | undefined
  volume: number
}

/** One that waits for a dead card does not end, whatever it is told. */
const GONE_MS = 2_000

const SETPRIV = ['/usr/bin/setpriv', '/bin/setpriv'].find((path) => existsSync(path))

/**
 * Nothing of the user's configuration, no scripts, no window, no terminal, and no way to reach the
 * network by itself: references inside files are not followed, and streams come from our own proxy.
 */
export const ALWAYS = [
  '--no-config',
  '--load-scripts=no',
  '--ytdl=no',
  '--input-default-bindings=no',
  '--no-terminal',
  '--idle=yes',
  '--no-video',
  '--vo=null',
  '--audio-display=no',
  '--sub-auto=no',
  '--audio-file-auto=no',
  '--cover-art-auto=no',
  '--autoload-files=no',
  '--access-references=no',
  '--demuxer=lavf',
  '--hr-seek=yes',
  // An MP3 frame borrows from those before it: decoded from the very place, 0.1 s of it is silent.
  '--hr-seek-demuxer-offset=0.5',
  // The device stays open from one track to the next, and at the end of the last.
  '--keep-open=yes',
  '--keep-open-pause=no',
  '--gapless-audio=weak',
  '--volume-max=100',
  '--demuxer-max-bytes=8MiB',
  '--demuxer-max-back-bytes=0',
  '--cache-pause-wait=1',
  // The proxy may be silent for as long as a station is away.
  '--network-timeout=2000',
]

/** A null device that reports what it has played without its usual delay. */
const NULL_DEVICE = ['--ao=null', '--ao-null-buffer=0.05', '--audio-buffer=0.1']

/** Resolves when mpv answers; rejects when it cannot be started or does not. */
export async function startMpv({
  command = 'mpv',
  ao,
  device,
  volume,
}: MpvSettings): Promise<MpvProcess> {
  const driver = ao === 'null' ? NULL_DEVICE : ao ? [`--ao=${ao}`] : []
  const output = device ? [...driver, `--audio-device=${ao}/${device}`] : driver
  // One private socket, inherited as a descriptor: no path that anyone else could open, and mpv
  // quits when our end of it closes.
  const args = [...ALWAYS, ...output, `--volume=${volume}`, '--input-ipc-client=fd://3']
  const [program, ...rest] = dyingWithParent(command, args)
  const child = spawn(program, rest, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
  const { promise: exited, resolve: gone } = whenGone(child)
  const ipc = createIpc(child.stdio[3] as Duplex)
  void exited.then((reason) => ipc.close(`mpv ended: ${reason}`))
  try {
    await ipc.ask('get_property', 'mpv-version')
  } catch (error) {
    kill()
    throw new Error(`mpv could not be started: ${await exited}`, { cause: error })
  }

  function kill() {
    child.kill('SIGKILL')
    setTimeout(gone, GONE_MS, 'it does not end').unref()
  }

  return {
    pid: child.pid ?? 0,
    ipc,
    exited,
    // The socket may break a moment before the exit is seen, and mpv does not live on without it.
    isAlive: ipc.isOpen,
    kill,
  }
}

/** The socket closes with us too, but a stopped mpv would not notice. */
function dyingWithParent(command: string, args: string[]): [string, ...string[]] {
  return SETPRIV ? [SETPRIV, '--pdeathsig', 'KILL', command, ...args] : [command, ...args]
}

function whenGone(child: ChildProcess): PromiseWithResolvers<string> {
  const gone = Promise.withResolvers<string>()
  child.on('error', (error) => gone.resolve(error.message))
  child.on('exit', (code, signal) => gone.resolve(signal ?? `exit code ${code}`))
  return gone
}
