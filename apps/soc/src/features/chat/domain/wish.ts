/** What somebody would like to be done. The chat does none of it: it shows what could be proposed. */
export type Wish =
  | { what: 'isolate' | 'scan'; host: string | undefined }
  | { what: 'block'; value: string | undefined }
  | { what: 'disable'; account: string | undefined }
  | { what: 'open-case' }
  | { what: 'playbook'; name: string | undefined }

const PLEASE = '^(?:please |can you |could you )?'
const THIS = /^(this|that|it|the|a|an|host|machine|server|endpoint|account|user|address)$/i

/** Only what begins as an order is one: "was the host isolated?" is a question. */
export function wishOf(text: string): Wish | undefined {
  const wanted = (pattern: string) => new RegExp(`${PLEASE}${pattern}`, 'i').exec(text)
  const endpoint = wanted('(isolate|contain|quarantine|scan)\\b(.*)$')
  if (endpoint) {
    const what = endpoint[1]?.toLowerCase() === 'scan' ? 'scan' : 'isolate'
    return { what, host: lastName(endpoint[2]) }
  }
  const block = wanted('block\\b(.*)$')
  if (block) return { what: 'block', value: lastName(block[1]) }
  const disable = wanted('(?:disable|lock)\\b(.*)$')
  if (disable) return { what: 'disable', account: lastName(disable[1]) }
  if (wanted('(?:open|create|make) (?:a |an |the )?(?:new )?case\\b')) return { what: 'open-case' }
  const playbook = wanted('(?:run|execute|start) (?:the )?playbook\\b(.*)$')
  if (playbook)
    return { what: 'playbook', name: lastName(playbook[1]?.replace(/\s+(on|for)\s.*$/i, '')) }
  return undefined
}

/** The one name in what follows the verb; "this host" names none. */
function lastName(rest: string | undefined): string | undefined {
  const words = (rest ?? '').trim().split(/\s+/)
  const named = words
    .map((word) => word.replace(/^["'`]+|["'`?!.,;]+$/g, ''))
    .filter((word) => word !== '' && !THIS.test(word))
  return named[0]
}
