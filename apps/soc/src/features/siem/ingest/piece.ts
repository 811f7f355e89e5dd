import type { Incoming } from '../normalise/normalise.ts'

/** An event that is not one, with what was wrong. */
export type Rejected = { rejected: string; field?: string | undefined; isTooLarge?: boolean }
export type Piece = Incoming | Rejected

export type Rejection = {
  index: number
  field?: string | undefined
  message: string
  isTooLarge?: boolean | undefined
}
