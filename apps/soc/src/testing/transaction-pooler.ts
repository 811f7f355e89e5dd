import pg from 'pg'

/** As behind PgBouncer in transaction mode: whoever asks gets the connection that was last set free. */
export function transactionPooler(connection: pg.ClientConfig) {
  const free: pg.Client[] = []
  const all: pg.Client[] = []

  async function take(): Promise<pg.Client> {
    const idle = free.pop()
    if (idle) return idle
    const fresh = new pg.Client(connection)
    all.push(fresh)
    await fresh.connect()
    return fresh
  }

  class Pooled extends pg.Client {
    #held: pg.Client | undefined

    override connect(): Promise<this>
    override connect(callback: (error: Error) => void): void
    override connect(callback?: (error: Error) => void): Promise<this> | undefined {
      callback?.(undefined as never)
      return callback ? undefined : Promise.resolve(this)
    }

    override query(...asked: never[]) {
      return this.#ask(...(asked as unknown as [string, unknown[]])) as never
    }

    override async end() {}

    async #ask(text: string, values?: unknown[]) {
      const server = this.#held ?? (await take())
      if (/^(begin|start transaction)/i.test(text)) this.#held = server
      if (/^(commit|rollback)/i.test(text)) this.#held = undefined
      try {
        return await server.query(text, values)
      } finally {
        if (!this.#held) free.push(server)
      }
    }
  }
  const close = () => Promise.all(all.map((client) => client.end()))
  return { Client: Pooled as typeof pg.Client, close }
}
