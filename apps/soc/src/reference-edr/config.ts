import { file, port, readEnv, secret, text } from '@manara/kit/env'
import { StartError } from '@manara/kit/errors'

export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  const settings = readEnv(env, {
    EDR_REFERENCE_HOST: text('127.0.0.1'),
    EDR_REFERENCE_PORT: port(8790),
    EDR_REFERENCE_STATE: file(),
    EDR_SECRET: secret({ minLength: 16 }),
  })
  if (!settings.EDR_SECRET) {
    throw new StartError('EDR_SECRET: must be set, the same here and for the soc')
  }
  return {
    host: settings.EDR_REFERENCE_HOST,
    port: settings.EDR_REFERENCE_PORT,
    stateFile: settings.EDR_REFERENCE_STATE,
    secret: settings.EDR_SECRET,
  }
}
