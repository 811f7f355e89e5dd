import type { ComponentChildren } from 'preact'
import { commands, say } from '../here.ts'
import { Key } from './key.tsx'

type PageHeadProps = { title: string; count?: string; children?: ComponentChildren }

/** The name of the page, what belongs to all of it, and the way to every command. */
export const PageHead = ({ title, count, children }: PageHeadProps) => (
  <header class="top">
    <h1>
      {title} {count && <small>{count}</small>}
    </h1>
    <div class="top-middle">{children}</div>
    <button type="button" class="to-palette" onClick={() => commands.find('palette')?.run()}>
      {say.value.t.commands} <Key keys="mod+k" />
    </button>
  </header>
)
