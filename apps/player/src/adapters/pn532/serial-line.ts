import { closeSync, constants, fstatSync, openSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { ReadStream } from 'node:tty'
import type { RunCommand } from '../run-command.ts'

/**
 * A serial device as a stream in both directions. Node reads terminals through epoll, so that no
 * thread hangs in a read, and a device that is unplugged ends the stream. Rejects with what the
 * owner can be told.
 */
export async function openSerialLine(path: string, run: RunCommand): Promise<ReadStream> {
  const device = await stat(path).catch(() => undefined)
  if (!device) throw new Error(`${path} is not there`)
  if (!device.isCharacterDevice()) throw new Error(`${path} is not a serial device`)
  const { code, stderr } = await run(
    'stty',
    ['-F', path, ...'115200 raw -echo clocal'.split(' ')],
    {
      timeoutMs: 2_000,
    },
  )
  if (code !== 0) throw new Error(`${path} cannot be set up: ${stderr.trim() || 'stty failed'}`)
  // Neither waits for a carrier, nor becomes the terminal whose Ctrl-C ends the service.
  const fd = openSync(path, constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK)
  try {
    const line = new ReadStream(fd)
    line.on('close', () => closeOurs(fd, device.rdev))
    return line
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

/**
 * Node opens a terminal a second time and leaves the first number to us, except where it cannot;
 * then it has closed ours, and the number may be somebody else's by now.
 */
function closeOurs(fd: number, rdev: number) {
  try {
    if (fstatSync(fd).rdev === rdev) closeSync(fd)
  } catch {
    // Closed already.
  }
}
