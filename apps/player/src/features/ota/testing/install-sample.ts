import type { KeyObject } from 'node:crypto'
import { confirmed } from '../domain/boot-plan.ts'
import { installImage } from '../install-image.ts'
import { readImage } from '../read-image.ts'
import { receiveImage } from '../receive-image.ts'
import type { Slots } from '../slots.ts'
import { sampleImage } from './sample-image.ts'

type KeyPair = { privateKey: KeyObject; publicKey: KeyObject }

/** As the updater does it, to be tried with the next start. */
export async function installSample(
  slots: Slots,
  key: KeyPair,
  sample: { version: string; files: Record<string, string> },
) {
  const image = sampleImage({ key: key.privateKey, ...sample })
  async function* chunks() {
    yield image
  }
  const read = await readImage(chunks(), [key.publicKey])
  await receiveImage(read, slots.incoming, () => {})
  const { manifest } = read
  await installImage(slots, { file: slots.incoming, manifest, mode: 'upload' }, () => {})
}

/** And then proven. */
export async function installProven(...update: Parameters<typeof installSample>) {
  await installSample(...update)
  const [slots] = update
  slots.writeRecord(confirmed(slots.readRecord()))
}
