import type { Manifest } from '@manara/player-contract/firmware'
import { compareVersions } from './version.ts'

export type Host = {
  version: string
  platform: string
  /** Bytes that an image may have, packed and unpacked. */
  limit: { packed: number; unpacked: number }
}

/** Why an image that is rightly signed is still not for this box, or undefined when it is. */
export function whyNotHere(
  manifest: Manifest,
  host: Host,
  allowDowngrade: boolean,
): string | undefined {
  const { version, minimum_version, platform, size, unpacked_size } = manifest
  if (platform !== 'any' && platform !== host.platform) {
    return `is for ${platform}, this box is ${host.platform}`
  }
  if (size > host.limit.packed || unpacked_size > host.limit.unpacked) {
    return `is larger than the ${host.limit.packed >> 20} MiB this box takes`
  }
  if (compareVersions(host.version, minimum_version) < 0) {
    return `${version} needs ${minimum_version} first, this box runs ${host.version}`
  }
  if (!allowDowngrade && compareVersions(version, host.version) <= 0) {
    return `${version} is not newer than ${host.version}: allow_downgrade installs it all the same`
  }
  return undefined
}
