import { createFairTurns } from '@manara/kit/fair-turns'
import type { FastifyReply } from 'fastify'
import { principalOf } from '../core/identity/caller.ts'
import { whileConnected } from './while-connected.ts'

export type InTurn = ReturnType<typeof inTurnOf>

/**
 * The store lets light questions pass heavy ones, one statement at a time: few turns here would make
 * them wait for whole questions. A page of a console asks for some things together.
 */
const AT_ONCE = 32
const EACH = 12

/** A file to import is in memory with all that is read from it, and has a thread of its own. */
const FILES = { atOnce: 2, each: 4 }

/** A rule that is tried reads days of events: a preview for seconds, a backtest for minutes in a thread. */
const TRIALS = { atOnce: 2, each: 4 }

/** Searches of all users in turns: one who asks for much waits, the others do not. */
export const createInTurn = (limits = { atOnce: AT_ONCE, each: EACH }) =>
  inTurnOf({
    ...limits,
    tooMuch: `too many searches at once: at most ${limits.each} of one user are under way or wait; let one end or cancel it, narrow its time range, then try again`,
  })

/** The same for files to import. */
export const createFilesInTurn = (limits = FILES) =>
  inTurnOf({
    ...limits,
    tooMuch: `too many files at once: at most ${limits.each} of one user are read or wait for it; nothing of this one was imported, send it again when one of them is done`,
  })

/** The same for rules that are tried on stored events. */
export const createTrialsInTurn = (limits = TRIALS) =>
  inTurnOf({
    ...limits,
    tooMuch: `too many rules are tried at once: at most ${limits.each} trials of one user are under way or wait; let one end or cancel it, then try again`,
  })

function inTurnOf(limits: Parameters<typeof createFairTurns>[0]) {
  const turns = createFairTurns(limits)
  return <T>(reply: FastifyReply, work: (signal: AbortSignal) => Promise<T>): Promise<T> =>
    whileConnected(reply, (signal) =>
      turns.run(principalOf(reply.request).username, () => work(signal), signal),
    )
}
