import type { ChatStatus, LookingAt } from '@manara/soc-contract/chat'
import { readEvents } from '@manara/ui/event-stream'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { api, dock, route, say, session, tabMemory, unsent } from '../here.ts'
import { Act } from '../parts/act.tsx'
import { Icon } from '../parts/icon.tsx'
import { useRead } from '../parts/use-read.ts'
import { Refused } from '../stores/api.ts'
import { explain } from '../stores/attempt.ts'
import { createChat } from '../stores/chat.ts'
import { lookingAt } from '../stores/looking-at.ts'
import { TurnView } from './turn.tsx'
import { useWords } from './words.ts'
import './dock.css'

/** One thread for the tab: pages come and go beside it. */
const chat = createChat({
  async ask(body, onEvent, signal) {
    const reply = await api.stream('POST', '/chat/stream', {
      ...{ body: JSON.stringify(body), signal },
      headers: { 'content-type': 'application/json' },
    })
    if (!reply.ok || !reply.body) {
      const { detail } = await reply.json().catch(() => ({}))
      throw new Refused(reply.status, detail ?? `${reply.status}`)
    }
    await readEvents(reply.body, onEvent)
  },
  memory: tabMemory,
  owner: session.me.value?.id ?? '',
  explain: (error) => explain(error, say.value.t.errors),
})

/** Questions about what is stored, beside every page and over none. */
export function Page() {
  const { w, t, fill } = useWords()
  const status = useRead<ChatStatus>('/chat')
  const typed = unsent.text('question')
  const isAlone = useSignal(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const end = useRef<HTMLDivElement>(null)
  const turns = chat.turns.value
  const isAnswering = turns.at(-1)?.state === 'answering'
  const open = lookingAt(route.path.value, route.search.value)
  const at: LookingAt = isAlone.value ? {} : open
  useEffect(() => {
    // Who asked for the dock types next; after a reload the page is what was wanted.
    if (document.activeElement !== document.body) field.current?.focus()
  }, [])
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'end' })
  }, [turns])
  useEffect(() => {
    isAlone.value = false
  }, [JSON.stringify(open)])

  function ask(question: string) {
    const text = question.trim()
    if (text === '' || isAnswering) return
    typed.value = ''
    field.current?.focus()
    void chat.ask(text, at)
  }
  const model = status.data?.model
  const named = nameOf(open, w.about, fill)
  return (
    <aside
      class="dock"
      aria-label={w.title}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.isComposing) return
        event.stopPropagation()
        dock.close()
      }}
    >
      <header class="dock-head">
        <h2>{w.title}</h2>
        {turns.length > 0 && (
          <Act look="plain" onClick={chat.clear}>
            {w.clear}
          </Act>
        )}
        <button type="button" class="panel-close" aria-label={t.close} onClick={dock.close}>
          <Icon name="close" />
        </button>
      </header>
      <div class="dock-thread" role="log" aria-busy={isAnswering} aria-label={w.answer}>
        {status.data && (
          <p class="dock-who">
            {model ? fill(w.withModel, { model }) : w.builtIn} {w.changesNothing}
          </p>
        )}
        {turns.length === 0 && (
          <ul class="dock-examples">
            {[...(named ? w.examples.open : []), ...w.examples.always].map((one) => (
              <li key={one}>
                <button type="button" onClick={() => ask(one)}>
                  {one}
                </button>
              </li>
            ))}
          </ul>
        )}
        {turns.map((turn) => (
          <TurnView
            key={turn.id}
            turn={turn}
            hasModel={Boolean(model)}
            onAgain={() => void chat.ask(turn.question, turn.at)}
            onProposed={(index, id) => chat.proposed(turn.id, index, id)}
          />
        ))}
        <div ref={end} />
      </div>
      <form
        class="dock-ask"
        onSubmit={(event) => {
          event.preventDefault()
          ask(typed.value)
        }}
      >
        {named && (
          <p class="dock-about">
            {isAlone.value ? (
              <button
                type="button"
                class="link"
                onClick={() => {
                  isAlone.value = false
                }}
              >
                {w.takeAlong}
              </button>
            ) : (
              <span class="chip">
                {named}
                <button
                  type="button"
                  aria-label={w.leaveOut}
                  title={w.leaveOut}
                  onClick={() => {
                    isAlone.value = true
                  }}
                >
                  <Icon name="close" />
                </button>
              </span>
            )}
          </p>
        )}
        <div class="dock-line">
          <textarea
            ref={field}
            rows={2}
            maxLength={4_000}
            aria-label={w.question}
            placeholder={w.hint}
            value={typed.value}
            dir="auto"
            onInput={({ currentTarget }) => {
              typed.value = currentTarget.value
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
              event.preventDefault()
              ask(typed.value)
            }}
          />
          {isAnswering ? (
            <Act onClick={chat.stop}>{w.stop}</Act>
          ) : (
            <button
              type="submit"
              class="act"
              data-look="main"
              aria-label={w.ask}
              disabled={typed.value.trim() === ''}
            >
              <Icon name="send" />
            </button>
          )}
        </div>
      </form>
    </aside>
  )
}

type Names = ReturnType<typeof useWords>['w']['about']

function nameOf(
  at: LookingAt,
  words: Names,
  fill: (text: string, values: Record<string, string>) => string,
): string | undefined {
  if (at.alert_id) return words.alert
  if (at.case_id) return words.case
  if (at.log_id) return words.event
  return at.host ? fill(words.host, { name: at.host }) : undefined
}
