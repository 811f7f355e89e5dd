import type { Coverage as CoverageAnswer } from '@manara/soc-contract/detection-content'
import { saveFile } from '@manara/ui/save-file'
import { Act } from '../../parts/act.tsx'
import { ReadState } from '../../parts/state.tsx'
import { useRead } from '../../parts/use-read.ts'
import { withQuery } from '../../stores/api.ts'
import { Head } from './head.tsx'
import { useWords } from './words.ts'

/** Techniques by tactic: the more rules, the fuller; a mark where alerts came. */
export function Coverage() {
  const { w, fill } = useWords()
  const read = useRead<CoverageAnswer>('/detections/coverage', { on: ['rule'] })
  return (
    <div class="rules">
      <Head current="/rules/coverage" />
      <ReadState read={read} rows={10}>
        {(coverage) => {
          const all = coverage.tactics.reduce((sum, { techniques }) => sum + techniques, 0)
          const covered = coverage.tactics.reduce((sum, one) => sum + one.covered_techniques, 0)
          return (
            <div class="coverage">
              <p>
                {fill(w.coverageText, { covered, all })}{' '}
                <Act look="plain" onClick={() => download(coverage)}>
                  {w.navigator}
                </Act>
              </p>
              <div class="tactics">
                {coverage.tactics.map((tactic) => (
                  <section key={tactic.id}>
                    <h2>
                      {tactic.name}{' '}
                      <small>
                        {tactic.covered_techniques} / {tactic.techniques}
                      </small>
                    </h2>
                    {coverage.techniques
                      .filter(({ tactics }) => tactics.includes(tactic.id))
                      .map((one) => (
                        <a
                          key={one.id}
                          href={withQuery('/rules', { q: one.id })}
                          data-rules={Math.min(4, one.enabled_rules)}
                          title={fill(w.technique, {
                            ...{ id: one.id, on: one.enabled_rules, rules: one.rules },
                            alerts: one.alerts_30d,
                          })}
                        >
                          <span class="mono">{one.id}</span> {one.name}
                          {one.alerts_30d > 0 && <b>{one.alerts_30d}</b>}
                        </a>
                      ))}
                  </section>
                ))}
              </div>
            </div>
          )
        }}
      </ReadState>
    </div>
  )
}

/** A layer as ATT&CK Navigator reads it. */
function download({ techniques, attack_version }: CoverageAnswer) {
  const layer = {
    name: 'Manara coverage',
    versions: { attack: attack_version, navigator: '5.1.0', layer: '4.5' },
    domain: 'enterprise-attack',
    techniques: techniques.map(({ id, enabled_rules, alerts_30d }) => ({
      ...{ techniqueID: id, score: enabled_rules },
      comment: `${enabled_rules} rules, ${alerts_30d} alerts in 30 days`,
    })),
    gradient: { colors: ['#ffffff', '#02675a'], minValue: 0, maxValue: 5 },
  }
  saveFile(new Blob([JSON.stringify(layer)], { type: 'application/json' }), 'manara-coverage.json')
}
