import type { FieldValue } from '@manara/log-query/event'
import { firstWord } from './words.ts'

/** `GET https://www.example.net/a?b HTTP/1.1`: what was asked for, in its parts. */
export function requestFields(request: string | undefined): Record<string, FieldValue | undefined> {
  if (!request || request === '-') return {}
  const method = firstWord(request)
  const last = request.lastIndexOf(' ')
  const hasVersion = last > method.length && request.startsWith('HTTP/', last + 1)
  const url = request.slice(method.length + 1, hasVersion ? last : request.length)
  if (!/^[A-Z_-]{2,24}$/.test(method) || url === '') return { 'http.request.original': request }
  return {
    'http.request.method': method,
    'http.version': hasVersion ? request.slice(last + 6) : undefined,
    ...urlFields(url),
  }
}

/** The address as it came, its host and its path. */
export function urlFields(url: string | undefined): Record<string, FieldValue | undefined> {
  if (!url || url === '-') return {}
  const scheme = url.indexOf('://')
  const isPath = url.startsWith('/') || url === '*'
  const begin = scheme > 0 && scheme < 12 ? scheme + 3 : 0
  const slash = isPath ? 0 : url.indexOf('/', begin)
  const host = isPath ? '' : url.slice(begin, slash < 0 ? url.length : slash)
  const whole = slash < 0 ? '' : url.slice(slash)
  const question = whole.indexOf('?')
  return {
    'url.original': url,
    'url.domain': domainOf(host),
    'url.path': question < 0 ? whole : whole.slice(0, question),
    'url.query': question < 0 ? undefined : whole.slice(question + 1),
  }
}

/** Without who asks and without the port. */
function domainOf(host: string): string | undefined {
  const name = host.slice(host.lastIndexOf('@') + 1)
  const colon = name.startsWith('[') ? name.indexOf(']') + 1 : name.indexOf(':')
  return (colon > 0 ? name.slice(0, colon) : name) || undefined
}

/** Refused or gone wrong is a failure, everything else that was answered a success. */
export function outcomeOfStatus(status: string | undefined): string | undefined {
  if (!status || !/^[1-5]\d\d$/.test(status)) return undefined
  return Number(status) >= 400 ? 'failure' : 'success'
}
