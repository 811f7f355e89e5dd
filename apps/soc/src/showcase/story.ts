/**
 * The showcase tells one morning: an invoice is opened in the finance office, and seventy minutes
 * later somebody writes to a pump controller. Every record below belongs to it or to the ordinary
 * noise around it. Addresses are from the ranges kept for documentation (RFC 5737).
 */
const KINDS = {
  site: 1,
  rule: 2,
  log: 3,
  endpoint: 4,
  device: 5,
  alert: 6,
  case: 7,
  part: 8,
  hunt: 9,
  execution: 'a',
  approval: 'b',
  response_rule: 'c',
  ioc: 'd',
  firmware: 'e',
  correlation: 'f',
  attestation: '0',
}

export const idOf = (kind: keyof typeof KINDS, number: number) =>
  `00000000-0000-4000-8000-${KINDS[kind]}${String(number).padStart(11, '0')}`

/** `at('07:42')` of the day of the story. */
export const at = (time: string) => `2026-03-02T${time.padEnd(8, ':00')}.000Z`

export const OFFICE = idOf('site', 1)
export const STATION = idOf('site', 2)
export const C2_ADDRESS = '203.0.113.45'
export const C2_DOMAIN = 'cdn-invoices.example'
export const INVOICE_SHA256 = '5f1d6d1f0c8d2c3b9a7e41f6b8035c2e94ad7710be63c8f2d15409ab7c3e6f88'
