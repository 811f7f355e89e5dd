import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { unavailable } from '@manara/kit/errors'
import type { PdfPrinter } from '../ports/pdf-printer.ts'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const PATIENCE_MS = 30_000
const FLAGS = [
  '--headless',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-pdf-header-footer',
]

/** Prints with the browser at `program`, or with the first of the usual names that is installed. */
export function createChromiumPdf(options: { program: string | undefined }): PdfPrinter {
  const programs = options.program ? [options.program] : NAMES
  return {
    async print(html) {
      const directory = await mkdtemp(path.join(tmpdir(), 'soc-report-'))
      try {
        for (const program of programs) {
          const pdf = await printIn(directory, program, html)
          if (pdf) return pdf
        }
      } finally {
        await rm(directory, { recursive: true, force: true })
      }
      throw unavailable(
        'a PDF is printed by Chromium, and there is none: install chromium, set SOC_CHROMIUM, or ask for html',
      )
    },
  }
}

/** Undefined when there is no such program. */
async function printIn(directory: string, program: string, html: string) {
  const page = path.join(directory, 'report.html')
  const file = path.join(directory, 'report.pdf')
  await writeFile(page, html)
  const flags = [
    ...FLAGS,
    // Its sandbox refuses root; the page is our own and may run nothing.
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    `--user-data-dir=${path.join(directory, 'profile')}`,
    `--print-to-pdf=${file}`,
    pathToFileURL(page).href,
  ]
  try {
    await promisify(execFile)(program, flags, { timeout: PATIENCE_MS, killSignal: 'SIGKILL' })
    return await readFile(file)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw unavailable(`${program} could not print the report: ask for html instead`, error)
  }
}

const isMissing = (error: unknown) =>
  error instanceof Error && 'syscall' in error && String(error.syscall).startsWith('spawn')
