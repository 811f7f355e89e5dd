import { existsSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import threads, { type WorkerOptions } from 'node:worker_threads'

/**
 * Loaded before the suites of a group: threads of the services run their bundles, which `npm test` has
 * made of the same sources and which load in half the time. A suite on its own runs the sources.
 */
const SOURCE = /^file:.*[/]apps[/](player|soc)[/]src[/].*?([\w-]+)[.]ts$/

threads.Worker = class extends threads.Worker {
  constructor(file: string | URL, { workerData, ...options }: WorkerOptions = {}) {
    super(bundled(file), { execArgv: [], ...options, workerData: bundled(workerData) })
  }
}
syncBuiltinESMExports()

/** Modules that a thread shall load are named in what it is given. */
function bundled<T>(given: T): T
function bundled(given: unknown): unknown {
  if (given instanceof URL) return new URL(bundled(given.href))
  if (Array.isArray(given)) return given.map(bundled)
  if (given?.constructor === Object) {
    return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, bundled(value)]))
  }
  const [, app, name] = (typeof given === 'string' && SOURCE.exec(given)) || []
  const url = new URL(`../apps/${app}/dist/${name}.js`, import.meta.url)
  return app && existsSync(url) ? url.href : given
}
