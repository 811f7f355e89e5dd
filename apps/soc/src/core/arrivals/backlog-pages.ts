import type { Kysely } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import { type BacklogOf, claimPage, finishPage, type Page, putBack } from './backlog.ts'

const ASK_MS = 1_000
const FIRST_PAGE_MS = 5_000
const LONGEST_PAGE_MS = 86_400_000
const GOOD_PAGE_MS = 2_000

type Deps = {
  db: Kysely<Tables>
  backlog: BacklogOf
  now(): number
  /** How long ago that was. */
  since(moment: number): number
  signal: AbortSignal
  /** Resolves when all of it was looked at, and what is left to do is behind the checkpoint. */
  lookAt(page: Page): Promise<void>
}

/** What has to be read from the store, a page at a time, each as long as is read in a moment. */
export function createBacklogPages({ db, backlog, now, since, signal, lookAt }: Deps) {
  let page: Page | undefined
  let pageMs = FIRST_PAGE_MS
  let askedAt = 0

  async function read(taken: Page) {
    try {
      await lookAt(taken)
      await finishPage(db, taken)
    } catch (error) {
      await putBack(db, taken, signal.aborted ? undefined : now()).catch(() => {})
      throw error
    }
  }

  return {
    /** There is more than when it was asked for last. */
    askAgain() {
      askedAt = 0
    },
    /** The first arrival of the page that is being read. */
    from: () => page?.from,
    /** Whether there was one. Others may have added to the backlog: it is asked for every second. */
    async readNext(): Promise<boolean> {
      if (since(askedAt) < ASK_MS || signal.aborted) return false
      const began = now()
      page = await claimPage(db, backlog, { pageMs, now: began })
      askedAt = page ? 0 : began
      if (!page) {
        pageMs = FIRST_PAGE_MS
        return false
      }
      await read(page).finally(() => {
        page = undefined
      })
      pageMs = nextPage(pageMs, now() - began)
      return true
    },
  }
}

/** As much of the past as is read in a moment: days of silence, or seconds of a flood. */
const nextPage = (pageMs: number, tookMs: number) =>
  tookMs > GOOD_PAGE_MS
    ? Math.max(FIRST_PAGE_MS, pageMs / 4)
    : Math.min(LONGEST_PAGE_MS, pageMs * 4)
