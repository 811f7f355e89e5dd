import { isIPv6 } from 'node:net'
import { availableParallelism } from 'node:os'
import type { Http } from '@manara/kit/http'
import { isIn, networkList } from '@manara/kit/outgoing/addresses'
import { openSyslogTcp } from '../adapters/syslog-tcp.ts'
import { openSyslogTls } from '../adapters/syslog-tls.ts'
import { openSyslogUdp } from '../adapters/syslog-udp.ts'
import type { Config } from '../config.ts'
import type { Meter } from '../core/metrics/meter.ts'
import { createBudget } from '../features/siem/ingest/budget.ts'
import { createCounters } from '../features/siem/ingest/counters.ts'
import {
  elasticRoutes,
  tellElasticClients,
} from '../features/siem/ingest/elastic/elastic.routes.ts'
import { hecRoutes } from '../features/siem/ingest/hec/hec.routes.ts'
import { registerIngestMetrics } from '../features/siem/ingest/ingest-metrics.ts'
import { createIntake, type Sender } from '../features/siem/ingest/intake.ts'
import { createStoredListeners } from '../features/siem/ingest/listeners.ts'
import { ingestRoutes } from '../features/siem/ingest/native/ingest.routes.ts'
import { otlpRoutes } from '../features/siem/ingest/otlp/otlp.routes.ts'
import { createPipeline } from '../features/siem/ingest/pipeline.ts'
import { createEventReader } from '../features/siem/ingest/read/event-reader.ts'
import type { Vouched } from '../features/siem/ingest/read/part.ts'
import { shareReadings } from '../features/siem/ingest/read/share-readings.ts'
import { createReadParts } from '../features/siem/ingest/read-parts.ts'
import { rehearse } from '../features/siem/ingest/rehearse.ts'
import { createSenders } from '../features/siem/ingest/senders.ts'
import { createSyslogSink } from '../features/siem/ingest/syslog/syslog-sink.ts'
import { measureLogs } from '../features/siem/measure-logs.ts'
import { createEventCounts } from '../features/siem/sources/count-events.ts'
import { siemStatsRoutes } from '../features/siem/stats.routes.ts'
import type { LogStore } from '../ports/log-store.ts'
import type { OpenSyslog, SyslogListener } from '../ports/syslog.ts'
import type { Platform } from './area.ts'

const hasSeveralCores = availableParallelism() > 1
const MATCHING = new URL('../features/detections/stream/match-where-read.ts', import.meta.url)

/** The log store, the ways in to it, and what is counted about them. */
export function composeSiem(
  { config, mode, log }: Platform,
  { meter, ...needs }: { meter: Meter; logs: LogStore },
) {
  const settings = config.ingest
  const now = Date.now
  const logs = measureLogs(needs.logs, meter)
  const counters = createCounters()
  const listeners = createStoredListeners(log)
  const eventCounts = createEventCounts()
  const pipeline = createPipeline({
    ...{ logs, counters, listeners, log },
    onStored: eventCounts.add,
    isMoreComing: () => reader.isReading(),
  })
  const senders = createSenders()
  const startReader = () =>
    createEventReader({
      ...{ log, packer: logs.packer, sieves: listeners.sieves },
      matching: MATCHING,
    })
  const reader = shareReadings([startReader(), ...(hasSeveralCores ? [startReader()] : [])])
  const readParts = createReadParts({ reader, counters, senders, now })
  const budget = createBudget(settings.eventsPerMinute)
  const intake = createIntake({ mode, pipeline, counters, budget, readParts })
  const sink = createSyslogSink({
    ...{ pipeline, counters, senders, readParts },
    budget: createBudget(settings.syslogPerMinute),
  })
  registerIngestMetrics(meter, { counters, pipeline, listeners, reader })
  const open: SyslogListener[] = []

  async function listen(openSyslog: OpenSyslog, address: Config['ingest']['syslogTcp']) {
    if (!address || !mode.runsPipelines) return undefined
    const at = { host: address.host ?? config.host, port: address.port }
    const listener = await openSyslog(at, sink, {
      mostBytes: settings.mostSyslogBytes,
      isAllowed: allowance(settings.syslogAllow),
    })
    open.push(listener)
    return listener.address
  }

  return {
    logs,
    sourceRates: () => counters.sources,
    eventCounts,
    /** Parsers of the user's own that are switched on. */
    setParsers: reader.setParsers,
    /** Rules that are matched where events are read. */
    setRules: reader.setRules,
    /** Every event, once and after it is on disk. */
    onStored: listeners.add,
    /** Those that a sieve lets through. */
    onPicked: listeners.addPicked,
    rootRoutes(http: Http) {
      tellElasticClients(http)
      hecRoutes(http, { intake })
      elasticRoutes(http, { intake })
      otlpRoutes(http, { intake })
    },
    routes(api: Http) {
      ingestRoutes(api, { intake })
      siemStatsRoutes(api, { logs, counters, pipeline, senders, now, since: now() })
    },
    /** Of a sender that the caller vouches for: one JSON a line. Nothing in it replaces `vouched`. */
    async takeLogs(sender: Sender, body: Buffer, vouched?: Vouched) {
      const release = intake.admit('api', sender, body.length)
      try {
        const format = { kind: 'native', contentType: 'application/x-ndjson', vouched } as const
        return await intake.take('api', sender, { format, body })
      } finally {
        release()
      }
    },
    /** So that whoever sends the first events does not wait longer than others; a stop ends it. */
    async warmUp() {
      if (mode.runsPipelines) await rehearse({ reader, logs }).catch(() => {})
    },
    /** Opens the listeners that are set; answers where each is. */
    async listenSyslog() {
      return {
        udp: await listen(openSyslogUdp, settings.syslogUdp),
        tcp: await listen(openSyslogTcp, settings.syslogTcp),
        tls: settings.syslogTls
          ? await listen(openSyslogTls(settings.syslogTls), settings.syslogTls.address)
          : undefined,
      }
    },
    /** Takes in no more, and stores what was taken. */
    async stop() {
      sink.stop()
      await Promise.all(open.map((listener) => listener.stop()))
      await sink.idle()
      await pipeline.stop()
      await reader.stop()
      await listeners.idle()
      await logs.close()
    },
  }
}

/** Everybody, where nobody is named. */
function allowance(networks: readonly string[]): (address: string) => boolean {
  if (networks.length === 0) return () => true
  const list = networkList(...networks.map((one) => (one.includes('/') ? one : hostNetwork(one))))
  return (address) => isIn(list, address)
}

const hostNetwork = (address: string) => `${address}/${isIPv6(address) ? 128 : 32}`
