import { unavailable } from '@manara/kit/errors'
import type { Incomplete } from '../../ports/log-store.ts'
import { createSteadyReads, type SteadyReads } from '../steady-reads.ts'
import { NoAnswerInTime } from './deadline.ts'
import { createTables, DISTRIBUTED, LOCAL, SHARDS } from './schema.ts'
import { createServer, type SelectOptions, type Server } from './server.ts'

export type Cluster = {
  readonly servers: Server[]
  /** The table that shows the events of all shards. */
  readonly table: string
  /** On the first server that answers; `partial` when a shard was missing. */
  select<Row>(
    build: (server: Server) => { statement: string; options?: SelectOptions },
  ): Promise<{ rows: Row[]; partial: Incomplete }>
  /** Between answers and events that are written anew. */
  readonly steady: SteadyReads
  /** On every server that answers, each about its own events; `partial` when one did not. */
  each<Answer>(
    ask: (server: Server) => Promise<Answer>,
    signal: AbortSignal | undefined,
  ): Promise<{ answers: Answer[]; partial: Incomplete }>
  close(): Promise<void>
}

const missingShards = (found: number, expected: number): Incomplete =>
  found >= expected
    ? null
    : {
        reason: 'shard_unavailable',
        detail: `${found} of ${expected} shards answered: events on the others are missing here`,
      }

/** `urls` are all servers; `name` is what their configuration calls the cluster they make up. */
export function createCluster(urls: string[], name: string | undefined): Cluster {
  const servers = urls.map((url) =>
    createServer(url, (server, major) => createTables(server, major, name)),
  )
  let turn = 0

  /** In turns, those that are known to be away last. */
  function inOrder(): Server[] {
    turn += 1
    const rotated = servers.map((_, index) => servers[(turn + index) % servers.length] as Server)
    return [...rotated.filter((one) => one.isUp()), ...rotated.filter((one) => !one.isUp())]
  }

  async function missing(server: Server, options: SelectOptions = {}): Promise<Incomplete> {
    if (name === undefined) return null
    const { signal, stopAfterMs, giveUpAfterMs = stopAfterMs } = options
    const asked = { signal, giveUpAfterMs }
    const [all, answered] = await Promise.all([
      server.select<{ amount: string }>(
        `SELECT uniqExact(shard_num) AS amount FROM system.clusters WHERE cluster = '${name}'`,
        asked,
      ),
      server.select<{ amount: string }>(`SELECT count() AS amount FROM ${SHARDS}`, asked),
    ])
    return missingShards(Number(answered[0]?.amount), Number(all[0]?.amount))
  }

  return {
    servers,
    steady: createSteadyReads(),
    table: name === undefined ? LOCAL : DISTRIBUTED,
    async select<Row>(build: Parameters<Cluster['select']>[0]) {
      let failure: unknown
      for (const server of inOrder()) {
        const { statement, options } = build(server)
        try {
          const [rows, partial] = await Promise.all([
            server.select<Row>(statement, options),
            missing(server, options),
          ])
          return { rows, partial }
        } catch (error) {
          options?.signal?.throwIfAborted()
          // No time is left for another.
          if (server.isUp() || error instanceof NoAnswerInTime) throw error
          failure = error
        }
      }
      throw failure ?? unavailable('CLICKHOUSE_URL names no server')
    },
    async each(ask, signal) {
      let failure: unknown
      const asked = servers.map(async (server) => {
        try {
          return [await ask(server)]
        } catch (error) {
          signal?.throwIfAborted()
          if (server.isUp() && !(error instanceof NoAnswerInTime)) throw error
          failure ??= error
          return []
        }
      })
      const answers = (await Promise.all(asked)).flat()
      if (answers.length === 0) throw failure
      return { answers, partial: missingShards(answers.length, servers.length) }
    },
    async close() {
      await Promise.all(servers.map((server) => server.close()))
    },
  }
}
