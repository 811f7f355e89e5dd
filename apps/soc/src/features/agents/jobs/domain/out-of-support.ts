/** End of the vendors' free security updates, from their life-cycle pages. */
const ENDED: [system: RegExp, until: string][] = [
  [/windows (xp|vista|7)\b/i, '2020-01-14'],
  [/windows 8(\.1)?\b/i, '2023-01-10'],
  [/windows 10\b/i, '2025-10-14'],
  [/windows server 2003/i, '2015-07-14'],
  [/windows server 2008/i, '2020-01-14'],
  [/windows server 2012/i, '2023-10-10'],
  [/debian(?: gnu\/linux)? ([1-9]|10)\b/i, '2024-06-30'],
  [/ubuntu (1[0-8])\.(04|10)/i, '2023-05-31'],
  [/ubuntu 20\.04/i, '2025-05-31'],
  [/centos/i, '2024-06-30'],
  [/red hat enterprise linux ([1-7])\b/i, '2024-06-30'],
]

/** Since when the system gets no updates any more; undefined when it does, or is not known. */
export function endedOn(system: string, now: number): string | undefined {
  return ENDED.find(([name, until]) => name.test(system) && Date.parse(until) < now)?.[1]
}

/** Whether a version lies a minor version or more behind the newest in use. */
export function isBehind(version: string, newest: string): boolean {
  const [major = 0, minor = 0] = partsOf(version)
  const [newMajor = 0, newMinor = 0] = partsOf(newest)
  return major < newMajor || (major === newMajor && minor < newMinor)
}

export const newestOf = (versions: string[]): string | undefined =>
  versions.toSorted((a, b) => compare(partsOf(b), partsOf(a)))[0]

const partsOf = (version: string) =>
  version
    .split(/[^0-9]+/)
    .filter(Boolean)
    .map(Number)

function compare(a: number[], b: number[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
