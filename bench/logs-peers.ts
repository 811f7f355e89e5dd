import path from 'node:path'
import { type Built, buildOnce, type Print, sendEvents } from './logs-build.ts'
import type { PeerEngine } from './logs-peer.ts'
import { CLICKHOUSE } from './logs-peer-clickhouse.ts'
import { POSTGRES } from './logs-peer-postgres.ts'
import { measureQuestions } from './logs-questions.ts'

export type BuiltPeer = { engine: PeerEngine; built: Built }

/** Engines of others with the same events; one that cannot be had is left out, with the reason. */
export async function buildPeers(
  base: string,
  count: number,
  days: number,
  print: Print,
): Promise<BuiltPeer[]> {
  const peers: BuiltPeer[] = []
  for (const engine of [CLICKHOUSE, POSTGRES]) {
    const why = engine.whyNot()
    if (why !== undefined) {
      print(`${engine.name} is left out: ${why}`)
      continue
    }
    const events = Math.min(count, engine.most)
    const directory = path.join(base, `${engine.name}-${events}-events-${days}-days`)
    const wanted = { directory: directory.replaceAll(' ', '-'), events, days }
    peers.push({ engine, built: await buildOnce(wanted, print, (built) => fill(engine, built)) })
  }
  return peers

  async function fill(engine: PeerEngine, built: Built) {
    await using undo = new AsyncDisposableStack()
    const peer = await engine.open(built.directory, undo)
    await peer.createTable()
    const sending = { batch: 10_000, ahead: 1, what: engine.name, print }
    await sendEvents(built, sending, (logs) => peer.insert(logs))
    print(`… ${engine.name}: indexes`)
    await peer.finish()
  }
}

/** One after the other, each alone. */
export async function measurePeers(peers: BuiltPeer[], print: Print) {
  const measured = []
  for (const { engine, built } of peers) {
    print(`… asking ${engine.name}`)
    await using undo = new AsyncDisposableStack()
    const peer = await engine.open(built.directory, undo)
    const times = await measureQuestions(engine.name, peer, built.end)
    measured.push({ name: engine.name, events: built.events, times })
  }
  return measured
}
