import { runSimulation } from '../apps/soc/src/simulated-devices/run-command.ts'

/** `npm run cps:simulate -- --devices 1000`: devices of all kinds at a running soc. */
const ending = new AbortController()
process.once('SIGINT', () => ending.abort())
process.once('SIGTERM', () => ending.abort())

const { stdout } = process
let isOpen = false
const say = (line: string) => {
  stdout.write(`${isOpen ? '\n' : ''}${line}\n`)
  isOpen = false
}
let shownAt = 0
function show(line: string) {
  if (stdout.isTTY) {
    stdout.write(`\r\x1b[2K${line}`)
    isOpen = true
  } else if (Date.now() - shownAt > 10_000) {
    shownAt = Date.now()
    say(line)
  }
}

process.exitCode = await runSimulation(process.argv.slice(2), {
  password: process.env.SOC_ADMIN_PASSWORD,
  ending: ending.signal,
  ...{ say, show },
})
