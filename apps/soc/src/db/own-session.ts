import pg from 'pg'

/**
 * What our statements and their answers rest on, and what may stop them under way. A database or a
 * role can have any of it set otherwise (`ALTER DATABASE … SET`).
 */
const SETTINGS = {
  search_path: 'public',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  default_transaction_isolation: 'read committed',
  // An upgrade may take minutes, and a statement of a pool that was cut looks like a lost database.
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  idle_session_timeout: '0',
  transaction_timeout: '0',
}

const names = Object.keys(SETTINGS)
/** Those that this version knows, but for what the connection string itself asks for. */
const TAKE = `
  SELECT set_config(name, wanted.value, false)
  FROM unnest($1::text[], $2::text[]) AS wanted(name, value) JOIN pg_catalog.pg_settings USING (name)
  WHERE setting <> wanted.value AND source <> 'client'`

/** Connections whose sessions are set up as we need them before anybody uses them. */
export function ownSession(connection: pg.PoolConfig): pg.PoolConfig {
  const Client = (connection.Client ?? pg.Client) as typeof pg.Client

  class OwnSession extends Client {
    override connect(): Promise<this>
    override connect(callback: (error: Error) => void): void
    override connect(callback?: (error: Error) => void): Promise<this> | undefined {
      const connected = this.#connectAndSet()
      if (!callback) return connected
      connected.then(
        () => callback(undefined as never),
        (error: Error) => callback(error),
      )
      return undefined
    }

    async #connectAndSet() {
      await super.connect()
      // Nobody else listens yet: the statement fails and tells.
      this.on('error', () => {})
      try {
        await this.query(TAKE, [names, Object.values(SETTINGS)])
      } catch (error) {
        void this.end().catch(() => {})
        throw error
      }
      return this
    }
  }
  return { ...connection, Client: OwnSession }
}
