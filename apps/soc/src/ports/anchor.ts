import type { SignedHead } from '@manara/soc-contract/proofs'

/** Where signed heads are sent besides the file: a syslog, a webhook, a time-stamping authority. */
export type Anchor = {
  name: string
  /** What came back and belongs to the head, if anything; throws when it did not arrive. */
  publish(head: SignedHead): Promise<object | undefined>
}
