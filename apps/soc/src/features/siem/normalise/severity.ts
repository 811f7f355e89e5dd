import type { Severity } from '@manara/soc-contract/severity'

/** Whose numbers these are: 3 is an error in syslog and a warning on Windows. */
export type Scale = 'syslog' | 'windows' | 'otel' | 'cef' | 'suricata' | 'unknown'

const WORDS: ReadonlyMap<string, Severity> = new Map(
  Object.entries<Severity>({
    critical: 'critical',
    crit: 'critical',
    fatal: 'critical',
    emergency: 'critical',
    emerg: 'critical',
    panic: 'critical',
    alert: 'critical',
    'very-high': 'critical',
    'very high': 'critical',
    high: 'high',
    error: 'high',
    err: 'high',
    severe: 'high',
    failure: 'high',
    medium: 'medium',
    moderate: 'medium',
    warning: 'medium',
    warn: 'medium',
    'audit failure': 'medium',
    low: 'low',
    minor: 'low',
    notice: 'low',
    info: 'info',
    information: 'info',
    informational: 'info',
    informative: 'info',
    'audit success': 'info',
    success: 'info',
    debug: 'info',
    trace: 'info',
    verbose: 'info',
    none: 'info',
    ok: 'info',
    unknown: 'info',
  }),
)

// Each entry: up to this number it is that severity.
const STEPS: Record<Scale, [number, Severity][]> = {
  syslog: [
    [2, 'critical'],
    [3, 'high'],
    [4, 'medium'],
    [5, 'low'],
    [7, 'info'],
  ],
  windows: [
    [0, 'info'],
    [1, 'critical'],
    [2, 'high'],
    [3, 'medium'],
    [5, 'info'],
  ],
  otel: [
    [12, 'info'],
    [16, 'medium'],
    [20, 'high'],
    [24, 'critical'],
  ],
  cef: [
    [0, 'info'],
    [3, 'low'],
    [6, 'medium'],
    [8, 'high'],
    [10, 'critical'],
  ],
  suricata: [
    [1, 'high'],
    [2, 'medium'],
    [3, 'low'],
    [255, 'info'],
  ],
  // Small ones are syslog's, as most daemons write; tens are those of pino and bunyan.
  unknown: [
    [2, 'critical'],
    [3, 'high'],
    [4, 'medium'],
    [5, 'low'],
    [39, 'info'],
    [49, 'medium'],
    [59, 'high'],
    [60, 'critical'],
  ],
}

/** Words and numbers of all common kinds; undefined when it says nothing. */
export function severityOf(value: unknown, scale: Scale = 'unknown'): Severity | undefined {
  if (typeof value === 'number') return ofNumber(value, scale)
  if (typeof value !== 'string') return undefined
  const plain = WORDS.get(value)
  if (plain) return plain
  const text = value.trim().toLowerCase()
  if (/^\d{1,3}$/.test(text)) return ofNumber(Number(text), scale)
  const meant = WORDS.get(text)
  if (meant) return meant
  // `ERROR2` of OpenTelemetry, `LOG_ERR` of C programs, `err (3)` of appliances.
  const [word = ''] = text.replace(/^log_/, '').match(/^[a-z]+/) ?? []
  return WORDS.get(word)
}

function ofNumber(value: number, scale: Scale): Severity | undefined {
  if (!(value >= 0)) return undefined
  return STEPS[scale].find(([most]) => value <= most)?.[1]
}
