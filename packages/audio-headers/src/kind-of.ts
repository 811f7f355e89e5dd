import type { ByteSource } from './byte-source.ts'
import { firstMp3Frame } from './first-frame.ts'
import { LOOK_AHEAD } from './mp3-header.ts'
import { type Kind, sniff } from './sniff.ts'

/** What a file is from `start` on, where its tags end; frames of MP3 are looked for further behind. */
export async function kindOf(source: ByteSource, start: number): Promise<Kind | undefined> {
  const kind = sniff(await source.read(start, LOOK_AHEAD))
  return kind ?? ((await firstMp3Frame(source, start)) && 'mp3')
}
