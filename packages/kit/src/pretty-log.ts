import { prettyFactory } from 'pino-pretty'

/** For eyes on a terminal: time, level, message, and the rest in grey. */
export function pretty(write: (line: string) => void) {
  const format = prettyFactory({
    colorize: process.stderr.isTTY,
    ignore: 'pid,hostname,service,reqId',
    translateTime: 'SYS:HH:MM:ss',
    messageFormat: '{msg}',
    singleLine: true,
  })
  return { write: (line: string) => write(format(line) ?? '') }
}
