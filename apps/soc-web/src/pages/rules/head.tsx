import { useSignal } from '@preact/signals'
import { route, session } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useCommands } from '../../parts/use-commands.ts'
import { ImportRules } from './import-rules.tsx'
import { useWords } from './words.ts'

export function Head({ current }: { current: string }) {
  const { w } = useWords()
  const isImporting = useSignal(false)
  const mayWrite = session.may('detections:write')
  const write = () => route.go('/rules/new')
  useCommands(
    mayWrite ? [{ id: 'new-rule', title: w.new, keys: 'c', group: 'page', run: write }] : [],
  )
  return (
    <>
      <PageHead title={w.title}>
        {mayWrite && (
          <>
            <Act look="main" keys="c" onClick={write}>
              {w.new}
            </Act>
            <Act
              onClick={() => {
                isImporting.value = true
              }}
            >
              {w.import}
            </Act>
          </>
        )}
      </PageHead>
      <Tabs
        label={w.title}
        current={current}
        tabs={[
          { href: '/rules', name: w.list },
          { href: '/rules/coverage', name: w.coverage },
        ]}
      />
      {isImporting.value && (
        <ImportRules
          onClose={() => {
            isImporting.value = false
          }}
        />
      )}
    </>
  )
}
