import { AlertStatus, SETTLED } from '@manara/soc-contract/alerts'
import { Severity } from '@manara/soc-contract/severity'

/** What a question says of the alerts it is about; what it does not name is missing. */
export type SuchAlerts = {
  statuses?: readonly AlertStatus[]
  severities?: readonly Severity[]
  host?: string
}

const OPEN = AlertStatus.options.filter((status) => !SETTLED.includes(status))
const IS_OPEN = /\b(open|active|unresolved)\b|\bnot (yet )?(closed|resolved)\b/i
const ON_HOST =
  /\b(?:on|host|machine|server|endpoint)\s+(?:(?:the|host|machine|server|endpoint)\s+)*["'`]?([^\s"'`?!,;]+)/gi
const NO_HOST =
  /^(host|machine|server|endpoint|this|that|a|an|call|(mon|tues|wednes|thurs|fri|satur|sun)day)$/i

export function readSuchAlerts(text: string): SuchAlerts {
  const statuses = IS_OPEN.test(text) ? OPEN : named(text, SAID_STATUSES)
  const severities = named(text, SAID_SEVERITIES)
  const host = [...text.matchAll(ON_HOST)]
    .map(([, name = '']) => name.replace(/\.+$/, ''))
    .find((name) => name !== '' && !NO_HOST.test(name))
  return {
    ...(statuses.length > 0 ? { statuses } : {}),
    ...(severities.length > 0 ? { severities } : {}),
    ...(host ? { host } : {}),
  }
}

// "New alerts" are the latest, and "info" is asked for about everything.
const SAID_STATUSES = AlertStatus.exclude(['new']).options
const SAID_SEVERITIES = Severity.exclude(['info']).options

const named = <Word extends string>(text: string, words: readonly Word[]): Word[] =>
  words.filter((word) => new RegExp(`\\b${word}\\b`, 'i').test(text))
