import { textOf } from '../../parsed.ts'

/** Nobody says who has a number but of the one that is the same everywhere. */
export function accountOf(uid: unknown): string | undefined {
  const number = textOf(uid)
  return number === '0' ? 'root' : number
}

export const programOf = (file: string | undefined) => file?.split('/').at(-1) || file
