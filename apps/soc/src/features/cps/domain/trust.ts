import type { TrustStatus, Verdict } from '@manara/soc-contract/cps'

const AFTER: Record<Exclude<Verdict, 'none'>, TrustStatus> = {
  affirming: 'trusted',
  warning: 'suspect',
  contraindicated: 'untrusted',
}

/** An answer says what to think of a device; silence can only make it worse. */
export function trustAfter(before: TrustStatus, verdict: Verdict): TrustStatus {
  if (verdict !== 'none') return AFTER[verdict]
  return before === 'untrusted' ? 'untrusted' : 'suspect'
}
