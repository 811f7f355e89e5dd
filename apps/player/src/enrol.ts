import { readFileSync } from 'node:fs'
import { request as plain } from 'node:http'
import { request as encrypted } from 'node:https'
import { hostname } from 'node:os'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { claimDataDir } from '@manara/kit/data-dir'
import { SocEnrolBody } from '@manara/player-contract/soc'
import { createSocClient } from './adapters/soc-client.ts'
import { certificateRequest } from './adapters/x509/request.ts'
import { type Config, readConfig } from './config.ts'
import { enrolBox } from './features/soc/enrol-box.ts'
import { openSocFiles } from './features/soc/soc-files.ts'
import { tokenIn } from './features/system/device-token.ts'

/**
 * `npm run player:enrol -- --soc URL --code CODE`: makes this box a device of a security platform. The
 * player does it when it runs; else its data folder is made ready for the next start.
 */
const USAGE = 'usage: player:enrol --soc URL --code CODE [--ca FILE] [--ca-fingerprint HEX]'

try {
  const body = bodyOf(process.argv.slice(2))
  const config = readConfig()
  const device = await askPlayer(config, body)
  process.stdout.write(
    device
      ? `enrolled as device ${device}\n`
      : `enrolled as device ${await enrolHere(config, body)}, from the next start of the player with the data in ${config.dataDir} on\n`,
  )
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}

function bodyOf(args: string[]): SocEnrolBody {
  const { soc, code, ca, 'ca-fingerprint': ca_fingerprint } = wordsOf(args)
  const asked = SocEnrolBody.safeParse({
    ...{ soc, code },
    ...(ca ? { ca: readFileSync(ca, 'utf8') } : {}),
    ...(ca_fingerprint ? { ca_fingerprint } : {}),
  })
  if (asked.success) return asked.data
  const [issue] = asked.error.issues
  throw new Error(`${issue?.path.join('.')}: ${issue?.message}\n${USAGE}`)
}

function wordsOf(args: string[]) {
  const word = { type: 'string' } as const
  const options = { soc: word, code: word, ca: word, 'ca-fingerprint': word }
  try {
    return parseArgs({ args, options }).values
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${USAGE}`)
  }
}

async function enrolHere({ dataDir, port }: Config, body: SocEnrolBody): Promise<string> {
  claimIdle(dataDir, port)
  const { device_id } = await enrolBox(
    {
      files: openSocFiles(dataDir),
      client: createSocClient(),
      certificateRequest,
      hostname,
    },
    body,
  )
  return device_id
}

/** A player that runs would not see what is written there, and the code is good once. */
function claimIdle(dataDir: string, port: number) {
  try {
    claimDataDir(dataDir, 'PLAYER_DATA')
  } catch (error) {
    const { message } = error as Error
    throw new Error(`no player answers at port ${port} (PLAYER_PORT): ${message}`)
  }
}

/** Undefined when no player answers on this machine. */
function askPlayer(config: Config, body: SocEnrolBody): Promise<string | undefined> {
  const token = tokenIn(config.dataDir)
  if (!token) return Promise.resolve(undefined)
  const ask = config.tls ? encrypted : plain
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>()
  const call = ask(
    {
      ...{ host: '127.0.0.1', port: config.port, path: '/api/settings/soc', method: 'POST' },
      headers: {
        ...{ 'content-type': 'application/json', authorization: `Bearer ${token}` },
        host: `localhost:${config.port}`,
      },
      // Its own certificate, on its own machine.
      rejectUnauthorized: false,
    },
    (reply) =>
      text(reply).then(
        (said) => {
          const { device_id, error } = answerIn(said)
          if (reply.statusCode === 200) resolve(device_id)
          else reject(new Error(error ?? `the player answers with ${reply.statusCode}`))
        },
        (error) => reject(new Error(`the answer of the player broke off: ${error.message}`)),
      ),
  )
  call.on('error', (error: NodeJS.ErrnoException) =>
    error.code === 'ECONNREFUSED' ? resolve(undefined) : reject(inOwnersWords(error, config)),
  )
  call.end(JSON.stringify(body))
  return promise
}

/** Where one side speaks TLS and the other does not, the error names no setting. */
function inOwnersWords(error: NodeJS.ErrnoException, { tls, port }: Config): Error {
  const { code = '' } = error
  const isUnlike = tls ? code === 'EPROTO' || code.startsWith('ERR_SSL') : code === 'ECONNRESET'
  if (!isUnlike) return error
  const [asked, instead] = tls ? ['HTTPS', 'off'] : ['HTTP', 'on']
  return new Error(
    `what listens at port ${port} (PLAYER_PORT) gave no answer over ${asked}: if the player was started with PLAYER_TLS=${instead}, start this command with it too`,
  )
}

/** Another program may listen there. */
function answerIn(text: string): { device_id?: string; error?: string } {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
