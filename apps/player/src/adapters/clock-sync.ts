import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { RunCommand } from './run-command.ts'

/**
 * What tells that the network has set the clock. Two answers that differ are two settings; undefined
 * means that nothing says so.
 */
export type SyncEvidence = () => Promise<string | undefined>

const TIMESYNCD_MARK = 'run/systemd/timesync/synchronized'

/**
 * The kernel knows: every time daemon (timesyncd, chrony, ntpd) clears its "unsynchronised" flag, and
 * it raises it again when somebody else sets the clock or 16 s of error may have gathered. Node has no
 * call for it, so the ways to ask are tried in turn until one answers.
 */
export function createSyncEvidence(
  root: string,
  run: RunCommand,
  arch: string = process.arch,
): SyncEvidence {
  return async () => {
    const kernel = (await askKernel(run, arch)) ?? (await askTimedated(run))
    if (kernel) return 'kernel'
    // Without its `rtcsync` option chrony leaves the kernel's flag alone.
    if (await askChrony(run)) return 'chrony'
    if (kernel === false) return undefined
    // The mark stays after somebody has set the clock by hand, so its time tells one sync from the next.
    const mark = await stat(path.join(root, TIMESYNCD_MARK)).catch(() => undefined)
    return mark && `timesyncd ${mark.mtimeMs}`
  }
}

// adjtimex(2) with nothing to change only reads, which anyone may. Its number differs by processor.
const ADJTIMEX: Record<string, number> = { x64: 159, arm64: 171, arm: 124, riscv64: 171 }
const TIME_ERROR = 5

/** Perl is part of every Debian and can make a bare system call: 3 ms, no daemon, no rights. */
async function askKernel(run: RunCommand, arch: string): Promise<boolean | undefined> {
  const call = ADJTIMEX[arch]
  if (call === undefined) return undefined
  const { code, stdout } = await run('perl', [
    '-e',
    `my $b = "\\0" x 512; print syscall(${call}, $b)`,
  ])
  const state = code === 0 && /^[0-5]$/.test(stdout) ? Number(stdout) : undefined
  return state === undefined ? undefined : state !== TIME_ERROR
}

async function askTimedated(run: RunCommand): Promise<boolean | undefined> {
  const { code, stdout } = await run('timedatectl', [
    'show',
    '--property=NTPSynchronized',
    '--value',
  ])
  return code === 0 && /^(yes|no)$/.test(stdout.trim()) ? stdout.trim() === 'yes' : undefined
}

/** The last field is the leap status, `Normal` or `Not synchronised`. */
async function askChrony(run: RunCommand): Promise<boolean | undefined> {
  const { code, stdout } = await run('chronyc', ['-c', 'tracking'])
  return code === 0 ? !/Not synchronised\s*$/.test(stdout) : undefined
}
