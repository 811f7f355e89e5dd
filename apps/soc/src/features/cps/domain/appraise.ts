import type { AttestationClaims, Verdict } from '@manara/soc-contract/cps'

/** What is known of the hash of a firmware; null when nobody vouches for it. */
export type KnownFirmware = {
  version: string
  status: 'allowed' | 'deprecated' | 'blocked'
  is_outdated: boolean
  latest_version: string | null
} | null

export type Grounds = {
  claims: AttestationClaims
  firmware: KnownFirmware
  /** What it ran when it was last found in order. */
  reference: Pick<AttestationClaims, 'firmware' | 'measurements'> | null
  /** When that was another firmware: what was measured when it last ran this one in order. */
  earlier: Measurements | null
  /** Of its last accepted answer. */
  boot: { count: number; seed: string } | null
  receivedAt: number
}

export type Appraisal = {
  verdict: Exclude<Verdict, 'none'>
  reason: string
  /** Two devices hold the same key. */
  isClone?: true
}

const CLOCK_OFF_MS = 10 * 60_000

/** The verifier of RFC 9334: evidence and reference values in, a result with its reason out. */
export function appraise(grounds: Grounds): Appraisal {
  const clone = cloneOf(grounds)
  if (clone) return { verdict: 'contraindicated', reason: clone, isClone: true }
  const wrong = contradictionIn(grounds)
  if (wrong) return { verdict: 'contraindicated', reason: wrong }
  const doubt = doubtAbout(grounds)
  if (doubt) return { verdict: 'warning', reason: doubt }
  return {
    verdict: 'affirming',
    reason: 'the firmware is known and everything measured is as before',
  }
}

/** One device has one number of starts, and one seed for each of them. */
export function cloneOf({ claims, boot }: Pick<Grounds, 'claims' | 'boot'>): string | undefined {
  if (!boot) return undefined
  const { boot_count: count, boot_seed: seed } = claims
  if (count === boot.count && seed !== boot.seed) {
    return `two devices answer with one certificate: start ${count} has two seeds`
  }
  if (count < boot.count) {
    return `the number of starts went back from ${boot.count} to ${count}: another device, or an old state of this one`
  }
  return undefined
}

function contradictionIn({ claims, firmware, reference, earlier }: Grounds): string | undefined {
  const { version, sha256 } = claims.firmware
  if (firmware?.status === 'blocked') return `firmware ${firmware.version} is blocked`
  if (firmware && spelled(firmware.version) !== spelled(version)) {
    return `it calls itself ${version}, its hash is that of ${firmware.version}`
  }
  if (!reference) return undefined
  const isSameVersion = reference.firmware.version === version
  if (isSameVersion && reference.firmware.sha256 !== sha256) {
    return `the firmware is another one and still calls itself ${version}`
  }
  if (reference.firmware.sha256 === sha256) {
    const changed = changedBetween(reference.measurements, claims.measurements)
    return changed && `${changed} changed although the firmware did not`
  }
  // Else another firmware, for a while, would make any change of the boot look like an update.
  const changed = earlier && changedBetween(earlier, claims.measurements)
  return changed ? `${changed} changed since it last ran firmware ${version}` : undefined
}

/** `v4.2.0` in a list and `4.2.0` in an answer are one version. */
const spelled = (version: string) =>
  version
    .trim()
    .toLowerCase()
    .replace(/^v(?=\d)/, '')

function doubtAbout({ claims, firmware, receivedAt }: Grounds): string | undefined {
  const { version, sha256 } = claims.firmware
  if (!firmware) return `firmware ${version} (${sha256.slice(0, 12)}…) is not a known one`
  if (firmware.status === 'deprecated') return `firmware ${version} is deprecated`
  if (firmware.is_outdated) {
    return `firmware ${version} is outdated: the newest is ${firmware.latest_version}`
  }
  if (claims.debug) return 'a debugger could change what runs'
  if (Math.abs(Date.parse(claims.issued_at) - receivedAt) > CLOCK_OFF_MS) {
    return `the clock of the device is off: it says ${claims.issued_at}`
  }
  return undefined
}

export type Measurements = AttestationClaims['measurements']

/** Names of what is new, gone, different or in another order. */
function changedBetween(before: Measurements, after: Measurements): string | undefined {
  const text = (list: Measurements) => list.map(({ name, sha256 }) => `${name} ${sha256}`)
  if (text(before).join() === text(after).join()) return undefined
  const [old, now] = [new Set(text(before)), new Set(text(after))]
  const names = [
    ...before.filter(({ name, sha256 }) => !now.has(`${name} ${sha256}`)),
    ...after.filter(({ name, sha256 }) => !old.has(`${name} ${sha256}`)),
  ].map(({ name }) => name)
  return names.length > 0 ? [...new Set(names)].join(', ') : 'the order of the boot'
}
