import type { Logger } from '@manara/kit/logging'
import type { LogStore } from '../../ports/log-store.ts'
import type { Server } from './server.ts'

const LOOK_MS = 1_000

type Watched = Pick<Server, 'name' | 'isUp' | 'feel'>

/** Looks once in a while whether the servers do what is asked, and says once why one does not. */
export function watchServers(
  servers: Watched[],
  log: Pick<Logger, 'error' | 'info'> | undefined,
  lookMs = LOOK_MS,
) {
  const wrong = new Map<Watched, string | undefined>()
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  async function lookAt(server: Watched) {
    const failure = await server.feel().then(
      () => undefined,
      (error: Error) => error,
    )
    const said = wrong.get(server)
    const isFirst = !wrong.has(server)
    wrong.set(server, failure?.message)
    if (isClosed || failure?.message === said) return
    if (failure) log?.error({ err: failure }, `the log store cannot be used: ${failure.message}`)
    else if (!isFirst) log?.info(`ClickHouse at ${server.name} is used again`)
  }

  async function look() {
    await Promise.all(servers.map(lookAt))
    if (!isClosed) timer = setTimeout(() => void look(), lookMs).unref()
  }
  void look()

  return {
    /** Nobody is called up who has not answered yet. */
    state(): ReturnType<LogStore['state']> {
      const isFine = (one: Watched) => wrong.has(one) && wrong.get(one) === undefined && one.isUp()
      const fine = servers.filter(isFine).length
      if (fine === 0) return 'down'
      return fine < servers.length ? 'partial' : 'up'
    },
    stop() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}
