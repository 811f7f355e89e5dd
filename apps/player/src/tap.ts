import { connect } from 'node:net'
import { simSocket } from './adapters/sim-reader.ts'
import { readConfig } from './config.ts'

/** `npm run player:tap -- UID [seconds]`: puts a card on the simulated reader and lifts it again. */
try {
  tap(simSocket(readConfig().dataDir), process.argv.slice(2))
} catch (error) {
  tell(false, `${(error as Error).message}\n`)
}

function tap(path: string, words: string[]) {
  const socket = connect(path)
  let reply = ''
  socket.setEncoding('utf8')
  socket.on('connect', () => socket.write(`${words.join(' ')}\n`))
  socket.on('data', (text: string) => {
    reply += text
  })
  socket.on('end', () => tell(reply.startsWith('card '), reply))
  socket.on('error', () =>
    tell(false, 'no simulated reader listens here: start the player with PLAYER_NFC=sim\n'),
  )
}

function tell(isDone: boolean, line: string) {
  if (isDone) process.stdout.write(line)
  else process.stderr.write(line)
  process.exitCode = isDone ? 0 : 1
}
