import type { TestContext } from 'node:test'
import { visit as visitPage } from '@manara/ui/testing/browser'
import type { BrowserContextOptions } from 'playwright-core'

export { findings, tapTwice, told } from '@manara/ui/testing/browser'

export const PHONE = { width: 390, height: 844 }

type Visit = { token?: string; language?: 'ar' | 'en'; context?: BrowserContextOptions }

/** A phone that opens a page of the box. */
export function visit(t: TestContext, address: string, options: Visit = {}) {
  const { token, language = 'en', context } = options
  return visitPage(t, address, {
    ...{ viewport: PHONE, hasTouch: true, locale: language },
    ...context,
    kept: { language, ...(token ? { token } : {}) },
  })
}
