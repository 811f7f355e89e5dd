type TrendProps = {
  label: string
  points: readonly { at: string; values: readonly number[] }[]
  /** One name for each value of a point. */
  names: readonly string[]
  /** How the moment of a point is written. */
  when(at: string): string
}

const HEIGHT = 100

/** Bars side by side over time, with a table of the same numbers for who cannot see them. */
export function Trend({ label, points, names, when }: TrendProps) {
  const most = Math.max(1, ...points.flatMap(({ values }) => values))
  const width = 100 / Math.max(1, points.length)
  const first = points[0]
  const last = points.at(-1)
  return (
    <figure class="trend">
      <figcaption>
        {label}
        <span class="trend-names">
          {names.length > 1 &&
            names.map((name, part) => (
              <span key={name} data-part={part}>
                {name}
              </span>
            ))}
        </span>
      </figcaption>
      <svg viewBox={`0 0 100 ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
        {points.map(({ at, values }, index) => (
          <g key={at}>
            <title>{`${when(at)}: ${values.map((value, part) => `${names[part]} ${value}`).join(', ')}`}</title>
            <rect class="trend-hit" x={index * width} y="0" width={width} height={HEIGHT} />
            {values.map((value, part) => (
              <rect
                key={names[part]}
                data-part={part}
                x={index * width + width * (0.12 + (part * 0.76) / values.length)}
                y={HEIGHT - (value / most) * HEIGHT}
                width={(width * 0.76) / values.length}
                height={(value / most) * HEIGHT}
              />
            ))}
          </g>
        ))}
      </svg>
      {/* Time goes from left to right in every language. */}
      <p class="trend-ends" dir="ltr">
        <span>{first && when(first.at)}</span>
        <span>{most}</span>
        <span>{last && when(last.at)}</span>
      </p>
    </figure>
  )
}
