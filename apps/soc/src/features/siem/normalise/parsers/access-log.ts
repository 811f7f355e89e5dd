import { addressOf } from '../addresses.ts'
import type { Fields } from '../fields.ts'
import type { ParseText } from '../parsed.ts'
import { momentOf } from '../timestamps.ts'

const QUOTED = String.raw`"([^"\\]*(?:\\.[^"\\]*)*)"`
// Common and combined format; a virtual host may stand first, a server may add words at the end.
// In two steps, so that the rest of a line is read once, whatever stands before it.
const CLIENT = /^(?:(\S+:\d+) )?(\S+) (\S+) (.+?) \[([^\]]{20,32})\] (?=")/
const ANSWER = new RegExp(
  String.raw`^${QUOTED} (\d{3}) (\d+|-)(?: ${QUOTED} ${QUOTED})?(?: (.*))?$`,
)
const REQUEST = /^([A-Z][A-Z_-]*) (\S.*?)(?: (HTTP\/\d(?:\.\d)?))?$/

/** Apache's and nginx's access log, under the names of the W3C format, which Sigma's web rules use. */
export const parseAccessLog: ParseText = (text, { receivedAt }) => {
  const came = text.includes('] "') ? CLIENT.exec(text) : null
  const answered = came && ANSWER.exec(text.slice(came[0].length))
  if (!answered) return undefined
  const [, virtualHost, client, , user, time] = came
  const [, request = '', status, bytes, referer, agent, rest] = answered
  const fields: Fields = { 'c-ip': client ?? '', 'sc-status': Number(status) }
  if (bytes !== '-') fields['sc-bytes'] = Number(bytes)
  const [isRequest, method = '', uri = '', version] = REQUEST.exec(request) ?? []
  if (isRequest) {
    const [stem = '', ...query] = uri.split('?')
    fields['cs-method'] = method
    fields['c-uri'] = uri
    fields['cs-uri-stem'] = stem
    if (query.length > 0) fields['cs-uri-query'] = query.join('?')
    if (version) fields['cs-version'] = version
  }
  if (referer && referer !== '-') fields['cs-referer'] = referer
  if (agent && agent !== '-') fields['cs-user-agent'] = agent
  if (user && user !== '-') fields['cs-username'] = user
  if (virtualHost) fields['cs-host'] = virtualHost
  if (rest) fields['x-rest'] = rest
  return {
    source: 'web',
    at: momentOf(time, receivedAt),
    severity: Number(status) >= 500 ? 'medium' : undefined,
    user: user === '-' ? undefined : user,
    event_code: status,
    src_ip: addressOf(client),
    fields,
  }
}
