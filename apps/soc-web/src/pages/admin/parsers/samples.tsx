import type { SampleResult } from '@manara/soc-contract/parsers'
import type { Signal } from '@preact/signals'
import { Act } from '../../../parts/act.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { Lines } from './definition-fields.tsx'
import type { SampleDraft } from './draft.ts'
import { useWords } from './words.ts'

type SamplesProps = { samples: Signal<SampleDraft[]>; results: SampleResult[] | undefined }

/** Lines that must be read so, and such that must not be read: a version is switched on with them. */
export function Samples({ samples, results = [] }: SamplesProps) {
  const { w, fill } = useWords()
  const set = (at: number, change: Partial<SampleDraft>) => {
    samples.value = samples.value.map((one, index) => (index === at ? { ...one, ...change } : one))
  }
  return (
    <section class="stack" aria-label={w.samples}>
      <h3>{w.samples}</h3>
      <p class="soft">{w.samplesText}</p>
      {samples.value.map(({ text, expect }, at) => (
        <div class="parser-sample" key={at}>
          <header>
            <b>{fill(w.sample, { n: at + 1 })}</b>
            <Verdict result={results.find(({ index }) => index === at)} />
            <button
              type="button"
              class="panel-close"
              aria-label={fill(w.removeSample, { n: at + 1 })}
              onClick={() => {
                samples.value = samples.value.filter((_, index) => index !== at)
              }}
            >
              <Icon name="close" />
            </button>
          </header>
          <Lines
            label={w.sampleText}
            hint=""
            value={text}
            onType={(typed) => set(at, { text: typed })}
          />
          <Lines
            label={w.expect}
            hint={w.expectHint}
            value={expect}
            onType={(typed) => set(at, { expect: typed })}
          />
        </div>
      ))}
      <div class="acts">
        <Act
          onClick={() => {
            samples.value = [...samples.value, { text: '', expect: '' }]
          }}
        >
          {w.addSample}
        </Act>
      </div>
    </section>
  )
}

function Verdict({ result }: { result: SampleResult | undefined }) {
  const { w } = useWords()
  if (!result) return null
  if (result.passed) return <span class="good">{w.passes}</span>
  return <span class="bad">{result.problem}</span>
}
