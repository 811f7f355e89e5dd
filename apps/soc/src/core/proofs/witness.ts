import type { KeyObject } from 'node:crypto'
import { createQueue } from '@manara/kit/queue'
import { SignedHead } from '@manara/soc-contract/proofs'
import type { Signer } from '../../ports/signer.ts'
import { openAnchorFiles } from './anchor-files.ts'
import { isGenuine, signRecord } from './signed.ts'
import { keyIdOf, pemOf, readPublicKeys } from './signer.ts'

export type Head = Pick<SignedHead, 'chain' | 'size' | 'head' | 'root'>

/**
 * Remembers outside the database how far each chain had come. Who owns the database can rewrite
 * everything in it; they cannot rewrite this, nor sign it anew.
 */
export type Witness = {
  /** The furthest that was signed for a chain. */
  latest(chain: string): SignedHead | undefined
  /** Why the files beside the database cannot be relied on, if so. */
  problem(): string | undefined
  sign<T extends object>(record: T): Promise<T & { key_id: string; signature: string }>
  /** Signed, and kept as the furthest; `lasting` ones are appended for good. */
  attest(head: Head, options: { lasting: boolean }): Promise<SignedHead>
  /** Something that belongs to a head, such as a time stamp of somebody else. */
  note(line: object): Promise<void>
  keys: ReadonlyMap<string, KeyObject>
  currentKeyId: string
}

export function createWitness(options: {
  directory: string
  signer: Signer
  now(): Date
  /** Of heads in one file. */
  mostBytes?: number | undefined
}): Witness {
  const { signer, now } = options
  const files = openAnchorFiles(options.directory, options.mostBytes)
  const keys = readPublicKeys(files.readKeys())
  const currentKeyId = keyIdOf(signer.publicKey)
  if (!keys.has(currentKeyId)) {
    files.addKey(pemOf(signer.publicKey))
    keys.set(currentKeyId, signer.publicKey)
  }

  const furthest = new Map<string, SignedHead>()
  let problem: string | undefined
  const remember = (head: SignedHead) => {
    if ((furthest.get(head.chain)?.size ?? 0) <= head.size) furthest.set(head.chain, head)
  }
  const take = (text: string, where: string) => {
    const head = readHead(text)
    if (head === 'other') return
    if (head && isGenuine(head, keys)) remember(head)
    else problem ??= `${where} of ${options.directory} is not what this service signed`
  }
  for (const [index, line] of files.readLines().entries())
    take(line, `line ${index + 1} of heads.ndjson`)
  const latest = files.readLatest()
  if (latest !== undefined) take(latest, 'latest.json')

  // The disk is awaited, not stood still for: who comes meanwhile writes behind it.
  const writing = createQueue()
  async function keep(signed: SignedHead, lasting: boolean) {
    if (lasting) await files.append(signed)
    if (signed.chain === 'audit') await files.writeLatest(signed)
    remember(signed)
    if (lasting) files.keepBounded(() => [...furthest.values()])
  }

  return {
    keys,
    currentKeyId,
    latest: (chain) => furthest.get(chain),
    problem: () => problem,
    sign: (record) => signRecord(signer, record),
    async attest(head, { lasting }) {
      const { chain, size, root } = head
      const record = { format: 'soc-head-1' as const, chain, size, head: head.head, root }
      const signed = await signRecord(signer, { ...record, at: now().toISOString() })
      await writing.run(() => keep(signed, lasting))
      return signed
    },
    note: (line) => writing.run(() => files.append(line)),
  }
}

function readHead(text: string): SignedHead | 'other' | undefined {
  try {
    const line = JSON.parse(text)
    if (line.format !== 'soc-head-1') return 'other'
    return SignedHead.parse(line)
  } catch {
    return undefined
  }
}
