import { momentOf } from '../timestamps.ts'

// Devices write the zone of their clock as letters. Where letters mean several zones, the one with
// more people in it: IST is India's, CST that of Chicago, BST that of London.
const HOURS: Readonly<Record<string, number>> = {
  UTC: 0,
  GMT: 0,
  Z: 0,
  WET: 0,
  BST: 1,
  WEST: 1,
  CET: 1,
  MET: 1,
  CEST: 2,
  MEST: 2,
  METDST: 2,
  EET: 2,
  SAST: 2,
  IDT: 3,
  EEST: 3,
  MSK: 3,
  TRT: 3,
  AST: 3,
  GST: 4,
  PKT: 5,
  IST: 5.5,
  SGT: 8,
  HKT: 8,
  AWST: 8,
  JST: 9,
  KST: 9,
  AEST: 10,
  AEDT: 11,
  NZST: 12,
  NZDT: 13,
  BRT: -3,
  EDT: -4,
  EST: -5,
  CDT: -5,
  CST: -6,
  MDT: -6,
  MST: -7,
  PDT: -7,
  PST: -8,
}

const HOUR_MS = 3_600_000
const OFFSET = /^(?:UTC|GMT)([+-])(\d{1,2})(?::?(\d\d))?$/

function hoursOf(zone: string): number | undefined {
  const [offset, sign, hours, minutes = '0'] = OFFSET.exec(zone) ?? []
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined
  if (offset) return (sign === '-' ? -1 : 1) * (Number(hours) + Number(minutes) / 60)
  return HOURS[zone]
}

export const isZone = (letters: string) => hoursOf(letters.toUpperCase()) !== undefined

/** A time with the letters of its zone behind it, as `Mar  3 2026 10:00:00 CET`; without, UTC. */
export function momentInZone(text: string, receivedAt: number): number | undefined {
  const trimmed = text.trim()
  const space = trimmed.lastIndexOf(' ')
  const hours = hoursOf(trimmed.slice(space + 1).toUpperCase())
  if (hours === undefined) return momentOf(trimmed, receivedAt)
  const at = momentOf(trimmed.slice(0, space), receivedAt)
  return at === undefined ? undefined : at - hours * HOUR_MS
}
