import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from '@manara/kit/testing/free-port'
import { until } from './until.ts'

type Ports = { http: number; tcp: number; interserver: number }

/**
 * Real servers on loopback, each a shard of the cluster `soc`; they end with the test. What they
 * stored goes too, unless it is in a directory of the caller's.
 */
export async function startClickhouse(
  t: { after(work: () => Promise<void>): void },
  amount: number,
  kept?: string,
) {
  const directory = kept ?? mkdtempSync(path.join(tmpdir(), 'soc-clickhouse-'))
  const ports = await freePorts(amount)
  const shards = await Promise.all(
    ports.map(async (_, index) => {
      const home = path.join(directory, String(index))
      writeConfig(home, ports, index)
      return startShard(home, ports[index] as Ports)
    }),
  )
  t.after(async () => {
    await Promise.all(shards.map((shard) => shard.stop()))
    if (kept === undefined) rmSync(directory, { recursive: true, force: true })
  })
  return { urls: ports.map(({ http }) => `http://127.0.0.1:${http}`), shards }
}

async function startShard(home: string, { http }: Ports) {
  let child: ChildProcess | undefined
  async function start() {
    child = spawn('clickhouse-server', [`--config-file=${path.join(home, 'config.xml')}`], {
      cwd: home,
      stdio: 'ignore',
      env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` },
    })
    await until('ClickHouse answers', async () => {
      const reply = await fetch(`http://127.0.0.1:${http}/ping`).catch(() => undefined)
      return reply?.ok === true
    })
  }
  async function stop() {
    if (child?.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  await start()
  return {
    start,
    stop,
    /** It takes connections and answers nothing, until `wake`. */
    fallSilent: () => void child?.kill('SIGSTOP'),
    wake: () => void child?.kill('SIGCONT'),
  }
}

function writeConfig(home: string, ports: Ports[], index: number) {
  for (const name of ['data', 'tmp', 'log']) mkdirSync(path.join(home, name), { recursive: true })
  const { http, tcp, interserver } = ports[index] as Ports
  const shards = ports.map(
    (shard) => `<shard><replica><host>127.0.0.1</host><port>${shard.tcp}</port></replica></shard>`,
  )
  writeFileSync(
    path.join(home, 'config.xml'),
    `<?xml version="1.0"?><yandex>
      <logger><level>error</level><log>${home}/log/server.log</log><errorlog>${home}/log/error.log</errorlog></logger>
      <http_port>${http}</http_port><tcp_port>${tcp}</tcp_port>
      <interserver_http_port>${interserver}</interserver_http_port>
      <listen_host>127.0.0.1</listen_host><mark_cache_size>67108864</mark_cache_size>
      <path>${home}/data/</path><tmp_path>${home}/tmp/</tmp_path>
      <users_config>users.xml</users_config><default_profile>default</default_profile>
      <default_database>default</default_database>
      <remote_servers><soc>${shards.join('')}</soc></remote_servers>
    </yandex>`,
  )
  writeFileSync(
    path.join(home, 'users.xml'),
    `<?xml version="1.0"?><yandex><profiles><default></default></profiles>
      <users><default><password></password><networks><ip>127.0.0.1</ip></networks>
      <profile>default</profile><quota>default</quota></default></users>
      <quotas><default></default></quotas></yandex>`,
  )
}

async function freePorts(amount: number): Promise<Ports[]> {
  const numbers = new Set<number>()
  while (numbers.size < amount * 3) numbers.add(await freePort())
  return Array.from({ length: amount }, (_, index) => {
    const [http = 0, tcp = 0, interserver = 0] = [...numbers].slice(index * 3)
    return { http, tcp, interserver }
  })
}
