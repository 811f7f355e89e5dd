import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'

/** Where pictures go, and words that the names of the wanted ones hold. */
export type Wanted = { out: string; format: 'webp' | 'png'; words: string[] }

export type Shot = {
  name: string
  path: string
  /** What is done before the picture is taken, in words that all languages share. */
  prepare?(page: Page): Promise<void>
}

type Clip = { x: number; y: number; width: number; height: number; scale: number }

/** Takes what a page shows, or a part of it, under a name. */
export async function createCamera(page: Page, { out, format }: Wanted, clip?: Clip) {
  mkdirSync(out, { recursive: true })
  const client = await page.context().newCDPSession(page)
  return async (name: string) => {
    await page.evaluate('document.fonts.ready')
    const { data } = await client.send('Page.captureScreenshot', {
      format,
      quality: 80,
      ...(clip && { clip }),
    })
    writeFileSync(path.join(out, `${name}.${format}`), Buffer.from(data, 'base64'))
  }
}
