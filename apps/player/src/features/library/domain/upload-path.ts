import { invalid } from '@manara/kit/errors'
import { isSystemFolder } from './card-names.ts'
import { checkCardPath } from './card-path.ts'

const DEEPEST = 8
const LONGEST_NAME_BYTES = 255

/** Refuses what could not be found again, or not be written on a card of any kind. */
export function checkUploadPath(path: string, playable: readonly string[]): void {
  checkCardPath(path, playable)
  const names = path.split('/')
  if (names.length > DEEPEST) throw invalid('path', `must not be deeper than ${DEEPEST} folders`)
  for (const name of names) {
    if (isSystemFolder(name)) throw invalid('path', 'must not name a hidden or a system folder')
    // FAT and exFAT, which most cards have, take neither.
    if (/[<>:"|?*]/.test(name)) throw invalid('path', 'must not contain < > : " | ? *')
    if (/[. ]$/.test(name)) throw invalid('path', 'must have no name that ends in a dot or a space')
    if (Buffer.byteLength(name) > LONGEST_NAME_BYTES)
      throw invalid('path', `must have no name longer than ${LONGEST_NAME_BYTES} bytes`)
  }
}
