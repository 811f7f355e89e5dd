import { parentPort, workerData } from 'node:worker_threads'
import { openTrack, type Track } from './track.ts'

/** Says what is wrong with the file, or nothing. */
parentPort?.postMessage(
  await whyNotPlayable(String(workerData)).catch(
    (error: Error) => error.message || 'cannot be read',
  ),
)

async function whyNotPlayable(file: string): Promise<string> {
  const track = await openTrack(file)
  try {
    await track.seek(0)
    if ((await decode(track, track.rate)) === 0) return 'there is no sound in it'
    if (track.frames <= track.rate) return ''
    await track.seek(track.frames - track.rate)
    return (await decode(track, track.rate)) === 0 ? 'its end is missing' : ''
  } finally {
    await track.close()
  }
}

async function decode(track: Track, wanted: number): Promise<number> {
  let frames = 0
  while (frames < wanted) {
    const pcm = await track.next()
    if (!pcm) break
    frames += pcm.frames
  }
  return frames
}
