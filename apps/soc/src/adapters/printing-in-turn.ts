import { createFairTurns } from '@manara/kit/fair-turns'
import type { PdfPrinter } from '../ports/pdf-printer.ts'

/** Each is a browser of its own, with some hundred megabytes. */
const AT_ONCE = 2
const MOST_WAITING = 10

/** The same printer, for at most two at once; more wait, and beyond some they are 429. */
export function printingInTurn(printer: PdfPrinter): PdfPrinter {
  const turns = createFairTurns({
    atOnce: AT_ONCE,
    each: AT_ONCE + MOST_WAITING,
    tooMuch: 'too many reports are being printed: try again in a minute, or ask for html',
  })
  return { print: (html) => turns.run('everybody', () => printer.print(html)) }
}
