import { readSettingFile } from '@manara/kit/setting-file'
import pg from 'pg'
import type { Conninfo } from './conninfo.ts'

/** As libpq spells that only a server that takes changes is any good. */
const PRIMARY = new Set(['read-write', 'primary'])

/** A certificate that is checked, as ours are, already keeps others out. */
const BOUND = new Set(['prefer', 'require'])

/** What the `pg` client is given, as `setting` says; with several hosts a client that tries them in turn. */
export function connectionOf({ hosts, parameters }: Conninfo, setting: string): pg.PoolConfig {
  const { user, password, dbname, application_name, connect_timeout, options, channel_binding } =
    parameters
  const seconds = Number(connect_timeout)
  const needsPrimary = PRIMARY.has(parameters.target_session_attrs ?? 'any')
  return {
    ...hosts[0],
    ...(user ? { user } : {}),
    ...(password ? { password } : {}),
    ...(dbname ? { database: dbname } : {}),
    ...(application_name ? { application_name } : {}),
    ...(seconds > 0 ? { connectionTimeoutMillis: seconds * 1_000 } : {}),
    ...(options ? { options } : {}),
    ...(BOUND.has(channel_binding ?? '') ? { enableChannelBinding: true } : {}),
    ...encryption(parameters, setting),
    ...(hosts.length > 1 || needsPrimary ? { Client: clientInTurn(hosts, needsPrimary) } : {}),
  }
}

/** As strict as `verify-full` wherever it is on: nobody else's certificate is good enough. */
function encryption(parameters: Record<string, string>, setting: string) {
  const { sslmode = 'disable', sslrootcert, sslcert, sslkey } = parameters
  if (['disable', 'allow', 'prefer'].includes(sslmode)) return {}
  const text = (name: string, file: string) => readSettingFile(`${setting}: ${name}`, file)
  return {
    ssl: {
      ...(sslrootcert && sslrootcert !== 'system' ? { ca: text('sslrootcert', sslrootcert) } : {}),
      ...(sslcert ? { cert: text('sslcert', sslcert) } : {}),
      ...(sslkey ? { key: text('sslkey', sslkey) } : {}),
      ...(sslmode === 'no-verify' ? { rejectUnauthorized: false } : {}),
      ...(sslmode === 'verify-ca' ? { checkServerIdentity: () => undefined } : {}),
    },
  }
}

/** Whoever cannot connect goes on to the next host, and all that connect after it begin there. */
function clientInTurn(hosts: Conninfo['hosts'], needsPrimary: boolean) {
  let current = 0

  return class extends pg.Client {
    readonly #tried: number

    constructor(config?: pg.ClientConfig) {
      // A pool hides the password from whoever copies its options.
      super({ ...config, password: config?.password, ...hosts[current] })
      this.#tried = current
    }

    override connect(): Promise<this>
    override connect(callback: (error: Error) => void): void
    override connect(callback?: (error: Error) => void): Promise<this> | undefined {
      const connected = this.#connectHere()
      if (!callback) return connected
      connected.then(
        () => callback(undefined as never),
        (error: Error) => callback(error),
      )
      return undefined
    }

    async #connectHere() {
      try {
        await super.connect()
        if (needsPrimary) await this.#refuseStandby()
        return this
      } catch (error) {
        if (current === this.#tried) current = (current + 1) % hosts.length
        throw error
      }
    }

    async #refuseStandby() {
      const { rows } = await this.query<{ standby: boolean }>(
        'SELECT pg_is_in_recovery() AS standby',
      )
      if (!rows[0]?.standby) return
      await this.end()
      throw Object.assign(new Error('the server is a standby'), { code: '25006' })
    }
  }
}
