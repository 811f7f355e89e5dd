import { spawn } from 'node:child_process'

export type Outcome = {
  /** Undefined when the command could not be started or was ended for taking too long. */
  code: number | undefined
  /** There is no such program. */
  isMissing?: boolean
  stdout: string
  stderr: string
}

type RunOptions = {
  /** Given on standard input, which then ends: the only way for a secret. */
  input?: string
  timeoutMs?: number
}

export type RunCommand = (
  command: string,
  args: readonly string[],
  options?: RunOptions,
) => Promise<Outcome>

const TIMEOUT_MS = 10_000

/** Runs programs found on `searchPath`, in English and UTC. Never rejects: a program that is missing is an outcome. */
export function createRunCommand(searchPath: string): RunCommand {
  // What the programs say is read, and times they are told are UTC, so both are fixed.
  const env = { PATH: searchPath, LC_ALL: 'C', TZ: 'UTC' }
  return (command, args, { input = '', timeoutMs = TIMEOUT_MS } = {}) =>
    new Promise((resolve) => {
      const unstarted = ({ code, message }: NodeJS.ErrnoException) =>
        resolve({ code: undefined, stdout: '', stderr: message, isMissing: code === 'ENOENT' })
      try {
        const child = spawn(command, args, { env, timeout: timeoutMs, killSignal: 'SIGKILL' })
        child.on('error', unstarted)
        const stdout: Buffer[] = []
        const stderr: Buffer[] = []
        child.on('close', (code) =>
          resolve({
            code: code ?? undefined,
            stdout: Buffer.concat(stdout).toString(),
            stderr: Buffer.concat(stderr).toString(),
          }),
        )
        // There are none where the process may open no more files.
        child.stdout?.on('data', (chunk) => stdout.push(chunk))
        child.stderr?.on('data', (chunk) => stderr.push(chunk))
        // A program that does not read its input closes the pipe under us.
        child.stdin?.on('error', () => {})
        child.stdin?.end(input)
      } catch (error) {
        // No memory for another process, for one.
        unstarted(error as Error)
      }
    })
}
