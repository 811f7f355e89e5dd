import type { Ioc } from '@manara/soc-contract/iocs'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import {
  formatIpv4,
  formatIpv6,
  maskIpv4,
  maskIpv6,
  parseIpv4,
  parseIpv6,
} from './domain/ip-address.ts'
import { hostOf, type Indicator, normaliseIoc, withoutScheme } from './domain/normalise.ts'
import { IOC_COLUMNS, toIoc } from './ioc-record.ts'

/** The indicator of this value or else the narrowest that covers it: a network, a domain above. */
export async function findIndicator(db: Kysely<Tables>, text: string): Promise<Ioc | null> {
  const indicator = normaliseIoc(text)
  if (typeof indicator === 'string') return null
  const candidates = [indicator, ...coversOf(indicator)]
  const rows = await db
    .selectFrom('iocs')
    .select(IOC_COLUMNS)
    .where(
      sql<boolean>`(type, value) IN (SELECT * FROM unnest(${candidates.map(({ type }) => type)}::text[],
        ${candidates.map(({ value }) => value)}::text[]))`,
    )
    .execute()
  const found = candidates
    .map(({ type, value }) => rows.find((row) => row.type === type && row.value === value))
    .find((row) => row !== undefined)
  return found ? toIoc(found) : null
}

/** Narrowest first. */
function* coversOf({ type, value }: Indicator): Iterable<Indicator> {
  // Somebody who looks for bare digits may mean either.
  if (type === 'md5') yield { type: 'imphash', value }
  if (type === 'ip') yield* networksOf(value)
  if (type === 'domain') yield* parentsOf(value)
  if (type === 'email') yield* withParents(value.slice(value.lastIndexOf('@') + 1))
  if (type === 'url') {
    // One that was given without a scheme stands for that place under any.
    if (value.includes('://')) yield { type, value: withoutScheme(value) }
    const host = normaliseIoc(hostOf(value) ?? '')
    if (typeof host === 'string') return
    yield host
    yield* coversOf(host)
  }
}

function* withParents(value: string): Iterable<Indicator> {
  yield { type: 'domain', value }
  yield* parentsOf(value)
}

function* parentsOf(name: string): Iterable<Indicator> {
  const labels = name.split('.')
  for (let from = 1; from < labels.length - 1; from += 1) {
    yield { type: 'domain', value: labels.slice(from).join('.') }
  }
}

function* networksOf(address: string): Iterable<Indicator> {
  const v4 = parseIpv4(address)
  const v6 = parseIpv6(address)
  for (let bits = v4 === undefined ? 128 : 32; bits > 0; bits -= 1) {
    if (v4 !== undefined) {
      yield { type: 'cidr', value: `${formatIpv4(maskIpv4(v4, bits))}/${bits}` }
    } else if (v6) yield { type: 'cidr', value: `${formatIpv6(maskIpv6(v6, bits))}/${bits}` }
  }
}
