import { setTimeout as pause } from 'node:timers/promises'
import type { ImportPlan, RuleImportResult } from '@manara/soc-contract/detection-content'
import type { DetectionRule } from '@manara/soc-contract/detections'
import type { RuleFile } from '../features/detections/import/drafts.ts'

export type SocClient = ReturnType<typeof createSocClient>

const PAGE = 200
const ATTEMPTS = 5

/** A running soc, by an API key with `detections:read` and, for a push, `detections:write`. */
export function createSocClient({ url, key }: { url: string; key: string }) {
  async function call<T>(method: string, path: string, body?: object): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const reply = await send(method, path, body)
      if (reply.status === 429 && attempt < ATTEMPTS) {
        await reply.body?.cancel()
        await pause(1_000 * Number(reply.headers.get('retry-after') ?? 1))
        continue
      }
      const text = await reply.text()
      if (reply.ok) return JSON.parse(text)
      throw new Error(`${method} ${path}: ${reply.status} ${detailOf(text)}`)
    }
  }

  async function send(method: string, path: string, body?: object) {
    const json = body ? { 'content-type': 'application/json' } : {}
    try {
      return await fetch(new URL(`/api/v1${path}`, url), {
        method,
        // The key is for this address alone.
        redirect: 'error',
        headers: { 'x-api-key': key, ...json },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
    } catch (error) {
      const { cause, message } = error as Error
      const why = cause instanceof Error ? cause.message : message
      throw new Error(`${url} does not answer: ${why}`)
    }
  }

  return {
    owner: async () => (await call<{ username: string }>('GET', '/users/me')).username,
    async rules(): Promise<DetectionRule[]> {
      type Page = { items: DetectionRule[]; next_cursor: string | null }
      const found: DetectionRule[] = []
      let after = ''
      do {
        const page = await call<Page>('GET', `/detections/rules?limit=${PAGE}${after}`)
        found.push(...page.items)
        after = page.next_cursor ? `&cursor=${encodeURIComponent(page.next_cursor)}` : ''
      } while (after !== '')
      return found
    },
    importPlanned: (files: RuleFile[], plan: ImportPlan) =>
      call<RuleImportResult & { preview?: boolean }>('POST', '/detections/rules/import', {
        files,
        plan,
      }),
    switchOff: ({ id, version }: Pick<DetectionRule, 'id' | 'version'>) =>
      call<DetectionRule>('PATCH', `/detections/rules/${id}`, { enabled: false, version }),
  }
}

function detailOf(text: string): string {
  try {
    return JSON.parse(text).detail
  } catch {
    return text.slice(0, 200)
  }
}
