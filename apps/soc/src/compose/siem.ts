import path from 'node:path'
import type { Logger } from '@manara/kit/logging'
import { Registry } from 'prom-client'
import { openClickhouseLogs } from '../adapters/clickhouse-logs/open.ts'
import { openDuckdbLogs } from '../adapters/duckdb-logs.ts'
import { openSyslogTcp } from '../adapters/syslog-tcp.ts'
import { openSyslogUdp } from '../adapters/syslog-udp.ts'
import type { Config } from '../config.ts'
import type { Mode } from '../core/mode/mode.ts'
import { createBudget } from '../features/siem/ingest/budget.ts'
import { createCounters } from '../features/siem/ingest/counters.ts'
import { registerIngestMetrics } from '../features/siem/ingest/ingest-metrics.ts'
import { createIntake } from '../features/siem/ingest/intake.ts'
import { createStoredListeners } from '../features/siem/ingest/listeners.ts'
import { createNewId } from '../features/siem/ingest/new-id.ts'
import { createPipeline } from '../features/siem/ingest/pipeline.ts'
import { createSyslogSink } from '../features/siem/ingest/syslog/syslog-sink.ts'
import type { OpenSyslog, SyslogListener } from '../ports/syslog.ts'

/** The log store, the ways in to it, and what is counted about them. */
export function composeSiem(deps: {
  mode: Mode
  log: Logger
  dataDir: string
  clickhouse: Config['clickhouse']
  host: string
  settings: Config['ingest']
}) {
  const { mode, log, settings } = deps
  const now = Date.now
  const logs =
    deps.clickhouse.urls.length > 0
      ? openClickhouseLogs(deps.clickhouse)
      : openDuckdbLogs({ directory: path.join(deps.dataDir, 'logs'), log })
  const counters = createCounters()
  const listeners = createStoredListeners(log)
  const pipeline = createPipeline({ append: logs.append, counters, listeners, log })
  const newId = createNewId()
  const budget = createBudget(settings.eventsPerMinute)
  const intake = createIntake({ mode, pipeline, counters, budget, newId, now })
  const sink = createSyslogSink({ pipeline, counters, newId, now })
  const registry = new Registry()
  registerIngestMetrics(registry, { counters, pipeline, listeners })
  const open: SyslogListener[] = []

  async function listen(openSyslog: OpenSyslog, address: Config['ingest']['syslogTcp']) {
    if (!address || !mode.runsPipelines) return undefined
    const at = { host: address.host ?? deps.host, port: address.port }
    const listener = await openSyslog(at, sink, { mostBytes: settings.mostSyslogBytes })
    open.push(listener)
    return listener.address
  }

  return {
    logs,
    /** Every event, once and after it is on disk. */
    onStored: listeners.add,
    registry,
    routes: { intake, logs, counters, pipeline, now, since: now() },
    /** Opens the listeners that are set; answers where each is. */
    async listenSyslog() {
      return {
        udp: await listen(openSyslogUdp, settings.syslogUdp),
        tcp: await listen(openSyslogTcp, settings.syslogTcp),
      }
    },
    /** Takes in no more, and stores what was taken. */
    async stop() {
      await Promise.all(open.map((listener) => listener.stop()))
      await pipeline.stop()
      await listeners.idle()
      await logs.close()
    },
  }
}
