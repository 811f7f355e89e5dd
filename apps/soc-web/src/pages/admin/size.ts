const UNITS = ['B', 'K', 'M', 'G', 'T']
const SIZE = /^(\d{1,12}(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?$/i

/** As settings are written: 200G. Undefined when it is no size. */
export function readSize(text: string): number | undefined {
  const [, digits, unit = ''] = SIZE.exec(text.trim()) ?? []
  if (digits === undefined) return undefined
  return Math.round(Number(digits) * 1024 ** Math.max(0, UNITS.indexOf(unit.toUpperCase())))
}

/** In the largest unit that leaves a number above one. */
export function shortSize(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(4, Math.floor(Math.log2(bytes) / 10))
  const value = bytes / 1024 ** power
  return `${power === 0 || value >= 100 ? Math.round(value) : Math.round(value * 10) / 10} ${
    power === 0 ? 'B' : `${UNITS[power]}B`
  }`
}
