import type { Pattern, Query } from '@manara/log-query/ast'
import { anyOf } from '@manara/log-query/normalise'
import { hostOf } from '../../domain/investigation/evidence/names.ts'
import type { Mention } from '../../domain/investigation/request/read-request.ts'

export const EVERYTHING: Query = { kind: 'all' }

const whole = (text: string): Pattern => ({ kind: 'pattern', parts: text === '' ? [] : [text] })
const begins = (text: string): Pattern => ({ kind: 'pattern', parts: [text, { any: 'run' }] })
const ends = (text: string): Pattern => ({ kind: 'pattern', parts: [{ any: 'run' }, text] })
const has = (field: string, match: Pattern): Query => ({ kind: 'field', field, match })
const mentions = (text: string): Query => ({ kind: 'text', match: whole(text) })

/** A host is called with and without its domain, and a collector may stand where it should. */
export function onHosts(hosts: Iterable<string>): Query {
  return anyOf(
    [...hosts].flatMap((host) =>
      ['host', 'Computer'].flatMap((field) => [
        has(field, whole(host)),
        has(field, begins(`${host}.`)),
      ]),
    ),
  )
}

export const withIds = (ids: Iterable<string>): Query =>
  anyOf([...ids].map((id) => has('id', whole(id))))

/** Events in which a thing is seen. */
export function sightingsOf({ type, value }: Mention): Query {
  switch (type) {
    case 'ip':
      return anyOf([
        has('src_ip', whole(value)),
        has('dst_ip', whole(value)),
        ...['IpAddress', 'SourceAddress', 'DestAddress'].map((name) => has(name, whole(value))),
      ])
    case 'user':
      return anyOf([
        has('user', whole(value)),
        has('user', ends(`\\${value}`)),
        ...['TargetUserName', 'SubjectUserName'].map((name) => has(name, whole(value))),
      ])
    case 'host':
      return onHosts([hostOf(value) || value])
    case 'domain':
      return anyOf([onHosts([value]), has('QueryName', whole(value)), mentions(value)])
    case 'program':
      return anyOf([
        has('process', whole(value)),
        ...['Image', 'NewProcessName'].map((name) => has(name, ends(`\\${value}`))),
      ])
    case 'id':
      return has('id', whole(value))
    case 'hash':
    case 'technique':
      return mentions(value)
  }
}

/** Connections that a host began from this address: whose they are tells whose it is. */
export const begunFrom = (address: string): Query =>
  anyOf([has('SourceIp', whole(address)), has('SourceAddress', whole(address))])

/** The start of a process that was already there. */
export function startOf(root: { host: string; pid: number; name: string; guid: string }): Query {
  const byGuid = root.guid === '' ? [] : [has('ProcessGuid', whole(root.guid))]
  const hex = `0x${root.pid.toString(16)}`
  const bySysmon: Query = {
    kind: 'and',
    queries: [
      has('EventID', whole('1')),
      has('ProcessId', whole(String(root.pid))),
      has('Image', ends(`\\${root.name}`)),
    ],
  }
  const bySecurity: Query = {
    kind: 'and',
    queries: [
      has('EventID', whole('4688')),
      has('NewProcessId', whole(hex)),
      has('NewProcessName', ends(`\\${root.name}`)),
    ],
  }
  return {
    kind: 'and',
    queries: [
      onHosts([root.host]),
      anyOf([...byGuid.map((one) => and(has('EventID', whole('1')), one)), bySysmon, bySecurity]),
    ],
  }
}

export const and = (...queries: Query[]): Query => ({ kind: 'and', queries })
