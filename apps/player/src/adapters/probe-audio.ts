import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'

const run = promisify(execFile)

const LONGEST_MS = 30_000
/** What the decoders of the service take, whatever the engine is. */
const OWN = new Set(['mp3', 'wav', 'flac', 'ogg', 'oga', 'opus'])

/**
 * Decodes the beginning and the end of a file, in a thread that is gone afterwards with all its memory.
 * Kinds that only mpv knows are given to mpv.
 */
export async function probeAudio(file: string, extension: string): Promise<void> {
  return OWN.has(extension) ? probeHere(file) : probeWithMpv(file)
}

function probeHere(file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./embedded/probe-worker.ts', import.meta.url), {
      workerData: file,
      resourceLimits: { maxOldGenerationSizeMb: 128 },
    })
    const late = setTimeout(() => end(new Error('decoding takes too long')), LONGEST_MS)
    let isOver = false
    function end(error?: Error) {
      if (isOver) return
      isOver = true
      clearTimeout(late)
      void worker.terminate()
      if (error) reject(error)
      else resolve()
    }
    worker.once('message', (problem: string) =>
      end(problem === '' ? undefined : new Error(problem)),
    )
    worker.once('error', (error) => end(error as Error))
    worker.once('exit', () => end(new Error('decoding broke off')))
  })
}

async function probeWithMpv(file: string): Promise<void> {
  const quiet = [
    '--no-config',
    '--really-quiet',
    '--vid=no',
    '--ao=null',
    '--untimed',
    '--length=10',
  ]
  await run('mpv', [...quiet, '--', file], { timeout: LONGEST_MS }).catch(() => {
    throw new Error('mpv cannot decode it')
  })
}
