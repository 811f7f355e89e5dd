import { LedgerExport } from '@manara/soc-contract/evidence'
import { SignedHead } from '@manara/soc-contract/proofs'
import { evidenceChain } from '../../apps/soc/src/core/proofs/anchor-heads.ts'
import { isGenuine } from '../../apps/soc/src/core/proofs/signed.ts'
import { readPublicKeys } from '../../apps/soc/src/core/proofs/signer.ts'
import { verifyChains } from '../../apps/soc/src/features/cases/domain/chain-verdict.ts'

type Checked = { lines: string[]; valid: boolean }

/** What an export proves to who has the public keys and, better, heads that were kept elsewhere. */
export function checkExport(text: string, pem: string, headLines?: string): Checked {
  const keys = readPublicKeys(pem)
  if (keys.size === 0) return refused('the key file holds no Ed25519 public key')
  const file = readExport(text)
  if (typeof file === 'string') return refused(file)
  if (!isGenuine(file, keys)) {
    return refused('the signature does not fit: this is not what the service exported')
  }
  const listed = file.chains.map(({ case_id }) => case_id)
  if (listed.join() !== file.chain_ids.join() || listed[0] !== file.case_id) {
    return refused('the chains are not those that the export lists')
  }
  if (!file.verdict.valid) {
    return refused(`the service itself found it broken: ${file.verdict.first_bad?.reason}`)
  }
  const given = headLines?.split('\n').flatMap((line) => readHead(line) ?? [])
  const isUsable = (head: SignedHead) =>
    listed.some((id) => head.chain === evidenceChain(id)) && isGenuine(head, keys)
  const outside = given?.filter(isUsable)
  const heads = [...file.heads.filter(isUsable), ...(outside ?? [])]
  const verdict = verifyChains(file.chains, (caseId) => tellingHead(heads, file, caseId))
  const lines = verdict.chains.map(({ case_id, entries, first_bad, signed }) => {
    const state = first_bad ? `BAD at entry ${first_bad.seq}: ${first_bad.reason}` : 'valid'
    const until = signed ? `, signed up to entry ${signed.size} at ${signed.at}` : ''
    return `case ${case_id}: ${entries} entries, ${state}${until}`
  })
  if (!verdict.valid) return { lines: [...lines, 'the ledger was tampered with'], valid: false }
  return { lines: [...lines, ...proved(file, outside)], valid: true }
}

/**
 * One that the chain does not fit, if there is any: who holds the key may have signed others for the
 * same place or for a later one. Else the furthest.
 */
function tellingHead(heads: SignedHead[], { chains }: LedgerExport, caseId: string) {
  const entries = chains.find(({ case_id }) => case_id === caseId)?.entries ?? []
  const own = heads
    .filter(({ chain }) => chain === evidenceChain(caseId))
    .sort((a, b) => b.size - a.size)
  return own.findLast(({ size, head }) => entries[size - 1]?.entry_hash !== head) ?? own[0]
}

const proved = (file: LedgerExport, outside: SignedHead[] | undefined) => [
  'the ledger holds',
  `proved: the holder of key ${file.key_id.slice(0, 16)} signed exactly these chains of case ${file.case_id} at ${file.exported_at} by its own clock, no entry was changed, left out or added since, and none that is signed for an earlier time is missing`,
  outside?.length
    ? 'proved: the chains contain what the heads you gave were signed for'
    : `not proved: that nothing was rewritten before the export by whoever holds the key; ${outside ? 'none of the heads you gave is a signed one of these chains' : 'give --heads from a place they could not write to'}`,
  'not proved: that what people stated in the entries is true',
]

function readExport(text: string): LedgerExport | string {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch (error) {
    return (error as Error).message
  }
  if ((content as { format?: string } | null)?.format === 'manara-evidence-ledger/1') {
    return 'an export of an older version, which nobody signed: whoever had it could have changed it'
  }
  const { error } = LedgerExport.safeParse(content)
  const [issue] = error?.issues ?? []
  // As it stands there: what the schema would leave out may have been put in by anybody.
  return issue ? `${issue.path.join('.')}: ${issue.message}` : (content as LedgerExport)
}

function readHead(line: string): SignedHead | undefined {
  try {
    return SignedHead.safeParse(JSON.parse(line)).data
  } catch {
    return undefined
  }
}

const refused = (why: string): Checked => ({ lines: [why, 'nothing is proved'], valid: false })
