import { signal } from '@preact/signals'
import { commands, say } from '../here.ts'
import { Dialog } from './dialog.tsx'
import { Key } from './key.tsx'

const isOpen = signal(false)
export const openKeys = () => {
  isOpen.value = true
}

const GROUPS = ['page', 'frame', 'go'] as const

/** Every key that works here, from the one registry. */
export function KeysSheet() {
  if (!isOpen.value) return null
  const { t } = say.value
  const withKeys = commands.all.value.filter(({ keys }) => keys)
  return (
    <Dialog
      title={t.keys}
      onClose={() => {
        isOpen.value = false
      }}
    >
      {GROUPS.map((group) => (
        <section class="keys" key={group}>
          <h3>{t.keyGroups[group]}</h3>
          <dl>
            {withKeys
              .filter((one) => one.group === group)
              .map(({ id, title, keys = '' }) => (
                <div key={id}>
                  <dt>
                    <Key keys={keys} />
                    <span class="hidden">{keys}</span>
                  </dt>
                  <dd>{title}</dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
    </Dialog>
  )
}
