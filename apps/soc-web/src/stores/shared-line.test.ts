import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSharedLine, type Word } from './shared-line.ts'

type Open = {
  tab: {
    isOpen: boolean
    isGone: boolean
    heard: string[]
    due: { at: number; then(): void }[]
    words: Word[]
  }
  line: ReturnType<typeof createSharedLine>
  hear(n: number): void
}

/** A service that numbers its events, and tabs of one person that hear them. */
function desk() {
  const said: number[] = [0]
  const tabs: Open[] = []
  const state = { now: 1 }

  function open(id: string): Open {
    const tab: Open['tab'] = { isOpen: false, isGone: false, heard: [], due: [], words: [] }
    const line = createSharedLine({
      id,
      line: {
        start() {
          tab.isOpen = true
          const from = Number(line.from()['last-event-id'] ?? said.at(-1))
          line.heard({ event: 'ready', data: '{}', id: String(from) })
          for (const n of said.filter((one) => one > from)) hear(n)
        },
        stop() {
          tab.isOpen = false
        },
        isLive: () => tab.isOpen,
      },
      post(word) {
        if (!tab.isGone)
          for (const { tab: other } of tabs) if (other !== tab) other.words.push(word)
      },
      onEvent: ({ event, id: n }) => void (event !== 'ready' && tab.heard.push(`${n}`)),
      now: () => state.now,
      after: (ms, then) => tab.due.push({ at: state.now + ms, then }),
    })
    const hear = (n: number) => line.heard({ event: 'alert.created', data: '{}', id: `${n}` })
    const one = { tab, line, hear }
    tabs.push(one)
    line.start()
    line.look()
    return one
  }

  /** Words come later than they are sent, in their order. */
  function deliver() {
    while (tabs.some(({ tab }) => tab.words.length > 0)) {
      for (const { tab, line } of tabs) for (const word of tab.words.splice(0)) line.told(word)
    }
  }
  return {
    open,
    deliver,
    say() {
      const n = (said.at(-1) ?? 0) + 1
      said.push(n)
      for (const { tab, hear } of tabs) if (tab.isOpen && !tab.isGone) hear(n)
    },
    pass(ms: number) {
      for (const end = state.now + ms; state.now < end; state.now += 500) {
        for (const { tab } of tabs.filter((one) => !one.tab.isGone)) {
          const { now = [], later = [] } = Object.groupBy(tab.due, ({ at }) =>
            at <= state.now ? 'now' : 'later',
          )
          tab.due = later
          for (const { then } of now) then()
        }
        deliver()
      }
    },
    lines: () => tabs.filter(({ tab }) => tab.isOpen && !tab.isGone).length,
  }
}

test('all windows hear every event once and in order, by one line', () => {
  const { open, say, pass, deliver, lines } = desk()
  const one = open('one')
  say()
  const two = open('two')
  // Both have a line still, and each hears of it twice.
  say()
  deliver()
  pass(3_000)
  const three = open('three')
  pass(3_000)
  assert.equal(lines(), 1)
  say()
  say()
  deliver()
  assert.deepEqual(
    [one, two, three].map(({ tab }) => tab.heard.join()),
    ['1,2,3,4', '2,3,4', '3,4'],
  )
})

test('who had the line leaves, or is gone without a word: another goes on where it ended', () => {
  const { open, say, pass, deliver, lines } = desk()
  const [one, two, three] = [open('one'), open('two'), open('three')]
  pass(3_000)
  say()
  // What was said after it has left is not lost, nor is what it heard told twice.
  one.line.stop()
  say()
  deliver()
  pass(3_000)
  assert.deepEqual([one.tab.isOpen, lines()], [false, 1])
  const holder = two.tab.isOpen ? two : three
  holder.tab.isGone = true
  say()
  pass(12_000)
  say()
  deliver()
  const left = holder === two ? three : two
  assert.deepEqual([left.tab.heard.join(), lines()], ['1,2,3,4', 1])
  // Seen again, it hears what it missed.
  one.line.start()
  pass(3_000)
  assert.deepEqual([one.tab.heard.join(), lines()], ['1,2,3,4', 1])
})
