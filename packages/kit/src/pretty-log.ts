import { createRequire } from 'node:module'
import type { prettyFactory as PrettyFactory } from 'pino-pretty'

/** For eyes on a terminal: time, level, message, and the rest in grey. */
export function pretty(write: (line: string) => void) {
  // Loaded where there are eyes: a box on a wall has none, and little memory.
  const { prettyFactory } = createRequire(import.meta.url)('pino-pretty') as {
    prettyFactory: typeof PrettyFactory
  }
  const format = prettyFactory({
    colorize: process.stderr.isTTY,
    ignore: 'pid,hostname,service,reqId',
    translateTime: 'SYS:HH:MM:ss',
    messageFormat: '{msg}',
    singleLine: true,
  })
  return { write: (line: string) => write(format(line) ?? '') }
}
