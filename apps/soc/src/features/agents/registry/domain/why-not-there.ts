import { agentCalled } from '@manara/soc-contract/agent-names'

type Site = { name: string; profile: { asset_classes: string[]; supported_agents: string[] } }
type Wanted = { id: string; name: string; assetClasses: string[] | null }

/** Why the agent cannot be deployed at the site; undefined when it can. */
export function whyNotThere(agent: Wanted, site: Site): string | undefined {
  const { asset_classes: classes, supported_agents: supported } = site.profile
  if (!supported.some((said) => agentCalled(said)?.id === agent.id)) {
    return `${site.name} does not support ${agent.name} (${agent.id}): add it to the site's supported_agents`
  }
  if (agent.assetClasses === null || classes.length === 0) return undefined
  const fits = classes.some((one) => agent.assetClasses?.some((word) => isKindOf(one, word)))
  if (fits) return undefined
  return `${agent.name} works on ${agent.assetClasses.slice(0, 4).join(', ')} and the like, and ${site.name} declares only ${classes.join(', ')}`
}

/** `PLC`, `plcs`, `safety-plc` and `engineering workstation` are of a kind. */
const isKindOf = (said: string, word: string) =>
  said
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .some((part) => part === word || part === `${word}s`)
