import { say } from '../../here.ts'
import { words } from './words.ts'

/** Where to turn, from north. A phone's own compass is not asked: indoors it lies too often. */
export function Qibla({ degrees }: { degrees: number }) {
  const { t, fill, number } = say.value
  const w = words()
  return (
    <section class="qibla">
      <svg viewBox="0 0 120 120" aria-hidden="true">
        <circle cx="60" cy="60" r="54" />
        {Array.from({ length: 24 }, (_, at) => (
          <path
            key={at}
            d={at % 6 === 0 ? 'M60 8v10' : 'M60 8v5'}
            transform={`rotate(${at * 15} 60 60)`}
          />
        ))}
        <path class="qibla-north" d="M60 21l-5 11h10z" />
        <g transform={`rotate(${degrees} 60 60)`}>
          <path class="qibla-needle" d="M60 96V42" />
          <path class="qibla-kaaba" d="M49 16h22v22H49z" />
          <path class="qibla-band" d="M49 23h22" />
        </g>
        <circle class="qibla-hub" cx="60" cy="60" r="4" />
      </svg>
      <div>
        <h2>{w.prayer.qibla}</h2>
        <p>
          <b>{fill(w.prayer.degrees, { n: number(Math.round(degrees)) })}</b>
        </p>
        <p>{fill(w.prayer.qiblaHint, { d: t.compass[Math.round(degrees / 45) % 8] ?? '' })}</p>
      </div>
    </section>
  )
}
