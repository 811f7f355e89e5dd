import { isIP } from 'node:net'
import { isIn, networkList } from '@manara/kit/outgoing/addresses'

/** Names, addresses and networks, each with a port if only that one is meant. */
type Allowance = (host: string, port: number, address: string) => boolean

export function parseAllowance(entries: readonly string[]): Allowance {
  const rules = entries.map(ruleOf)
  return (host, port, address) => rules.some((rule) => rule(host, port, address))
}

function ruleOf(entry: string): Allowance {
  if (entry.includes('/')) {
    const list = networkList(entry)
    return (_host, _port, address) => isIn(list, address)
  }
  const [, name = '', only] =
    /^\[?(.*?)\]?(?::(\d+))?$/.exec(isIP(entry) ? `[${entry}]` : entry) ?? []
  const wanted = name.toLowerCase()
  return (host, port, address) =>
    (host.toLowerCase() === wanted || address === wanted) && (!only || Number(only) === port)
}
