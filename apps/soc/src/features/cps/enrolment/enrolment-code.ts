import { createHash, randomInt } from 'node:crypto'

// Without letters that look alike: somebody may have to type it. 20 of 32 signs are 100 bits.
const SIGNS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const GROUPS = 4
const GROUP_SIGNS = 5

export const freshCode = (): string =>
  Array.from({ length: GROUPS }, () =>
    Array.from({ length: GROUP_SIGNS }, () => SIGNS[randomInt(SIGNS.length)]).join(''),
  ).join('-')

/** Only this is stored. Small letters, spaces and dashes do not matter. */
export const codeHash = (code: string): string =>
  createHash('sha256').update(code.toUpperCase().replaceAll(/[\s-]/g, '')).digest('hex')
