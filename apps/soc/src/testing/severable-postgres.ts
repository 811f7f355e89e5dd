import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { testDatabase } from './test-postgres.ts'

const SOCKET = '.s.PGSQL.5432'

/** A database behind a line that can be cut and mended: away for this test, there for the others. */
export async function severablePostgres(t: Pick<TestContext, 'after'>) {
  const real = await testDatabase()
  const directory = mkdtempSync(path.join(tmpdir(), 'soc-line-'))
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(path.join(real.host, SOCKET))
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    near.pipe(far)
    far.pipe(near)
  })

  const mend = () =>
    new Promise<void>((resolve) => server.listen(path.join(directory, SOCKET), resolve))
  const cut = async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    for (const socket of sockets) socket.destroy()
    await closed
  }

  /** The host goes dark: connections stand, and nothing comes through them. */
  const darken = () => {
    for (const socket of sockets) socket.pause()
  }

  await mend()
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
    rmSync(directory, { recursive: true, force: true })
  })
  return { connection: { ...real, host: directory }, direct: real, cut, mend, darken }
}
