import { addressOf } from '../addresses.ts'
import { type ParseObject, textOf } from '../parsed.ts'
import { momentOf } from '../timestamps.ts'

/** Zeek's JSON logs: every one has `ts`, most a `uid`, and a writer may name the log in `_path`. */
export const isZeek = (object: object): boolean =>
  Object.hasOwn(object, 'ts') &&
  ['_path', 'uid', 'id.orig_h'].some((name) => Object.hasOwn(object, name))

export const parseZeek: ParseObject = (fields, { receivedAt }) => {
  if (!isZeek(fields)) return undefined
  const path = textOf(fields._path)
  const said = [fields.msg, fields.note, fields.query, fields.uri, fields.name]
  return {
    source: 'zeek',
    at: momentOf(fields.ts, receivedAt),
    machine: textOf(fields._system_name),
    host: textOf(fields._system_name),
    message: [path, ...said.map(textOf)].filter(Boolean).join(' '),
    user: textOf(fields.username) ?? textOf(fields.user),
    event_code: textOf(fields.note) ?? path,
    src_ip: addressOf(fields['id.orig_h']),
    dst_ip: addressOf(fields['id.resp_h']),
    severity: path === 'notice' ? 'low' : undefined,
    fields: {},
  }
}
