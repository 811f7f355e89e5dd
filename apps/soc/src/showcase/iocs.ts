import type { Ioc } from '@manara/soc-contract/iocs'
import { at, C2_ADDRESS, C2_DOMAIN, INVOICE_SHA256, idOf } from './story.ts'

const ioc = (number: number, type: Ioc['type'], value: string, score: number): Ioc => ({
  id: idOf('ioc', number),
  type,
  value,
  score,
  effective_score: score,
  tlp: 'amber',
  valid_from: at('08:05'),
  valid_until: null,
  revoked: false,
  sources: ['leila'],
  tags: ['invoice-campaign'],
  description: 'Found while the invoice was investigated.',
  sightings: 1,
  unrecorded_sightings: 0,
  first_sighted_at: at('07:46'),
  last_sighted_at: at('08:58'),
  lookback: 'done',
  created_by: 'leila',
  created_at: at('08:05'),
  updated_at: at('08:05'),
})

export const iocs = [
  ioc(1, 'ip', C2_ADDRESS, 90),
  ioc(2, 'domain', C2_DOMAIN, 90),
  ioc(3, 'sha256', INVOICE_SHA256, 80),
]
