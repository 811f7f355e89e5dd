import type { Story } from './investigate.ts'

/** What else must be looked at before a story is whole. */
export type Needs = {
  hosts: string[]
  /** Addresses that the story came from or went to and whose host is not known. */
  addresses: string[]
  /** The process at the root, when its start lies before the window. */
  root: { host: string; pid: number; name: string; guid: string; at: number } | undefined
}

const MOST_ADDRESSES = 8
const NO_NEEDS: Needs = { hosts: [], addresses: [], root: undefined }

export function needsOf(story: Story | undefined): Needs {
  if (!story) return NO_NEEDS
  const { graph, parts, root, hosts } = story
  const people = new Set(parts.map(({ host, user }) => `${host}|${user}`))
  const addresses = new Set<string>()
  for (const { host, user, from } of graph.sessions) {
    if (people.has(`${host}|${user}`)) addresses.add(from)
  }
  const members = new Set(parts)
  for (const { actor, to } of graph.connections) if (members.has(actor)) addresses.add(to)
  const { host, pid, name, guid, at } = root
  const isBefore = root.kind === 'process' && root.startedAt === undefined
  return {
    hosts,
    addresses: [...addresses]
      .filter((address) => !graph.hostOfAddress.has(address))
      .sort()
      .slice(0, MOST_ADDRESSES),
    root: isBefore ? { host, pid, name, guid, at } : undefined,
  }
}
