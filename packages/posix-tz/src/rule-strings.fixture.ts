import fc from 'fast-check'

const two = (value: number) => String(value).padStart(2, '0')

const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ']
const quotable = [...letters, ...'0123456789+-']
const name = fc.oneof(
  fc.array(fc.constantFrom(...letters), { minLength: 3, maxLength: 6 }).map((run) => run.join('')),
  fc
    .array(fc.constantFrom(...quotable), { minLength: 3, maxLength: 6 })
    .map((run) => `<${run.join('')}>`),
)

const clockTime = (mostHours: number) =>
  fc
    .tuple(
      fc.constantFrom('', '-'),
      fc.nat(mostHours),
      fc.option(fc.tuple(fc.nat(59), fc.option(fc.nat(59)))),
    )
    .map(([sign, hours, rest]) => {
      const minutes = rest === null ? '' : `:${two(rest[0])}`
      const seconds = rest === null || rest[1] === null ? '' : `:${two(rest[1])}`
      return `${sign}${hours}${minutes}${seconds}`
    })

/** A rule with its rough day of the year. */
type Rule = { text: string; day: number }

const rule: fc.Arbitrary<Rule> = fc
  .tuple(
    fc.oneof(
      fc
        .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 5 }), fc.nat({ max: 6 }))
        .map(([m, w, d]) => ({ text: `M${m}.${w}.${d}`, day: (m - 1) * 30.4 + w * 7 - 4 })),
      fc.integer({ min: 1, max: 365 }).map((day) => ({ text: `J${day}`, day })),
      fc.nat({ max: 365 }).map((day) => ({ text: `${day}`, day })),
    ),
    fc.option(clockTime(167)),
  )
  .map(([{ text, day }, time]) => ({ text: time === null ? text : `${text}/${time}`, day }))

// Where a time of up to 167 hours lets start and end trade places from year to year, POSIX gives no answer.
const apart = ([start, end]: [Rule, Rule]) => {
  const distance = Math.abs(start.day - end.day)
  return distance > 25 && distance < 340
}

const zoneWith = (rules: fc.Arbitrary<[Rule, Rule]>) =>
  fc
    .tuple(name, clockTime(24), name, fc.option(clockTime(24)), rules)
    .map(
      ([std, offset, dst, dstOffset, [start, end]]) =>
        `${std}${offset}${dst}${dstOffset ?? ''},${start.text},${end.text}`,
    )

const anyRules = fc.tuple(rule, rule).filter(apart)
const rulesInsideTheYear = anyRules.filter((pair) => pair.every(({ day }) => day > 20 && day < 345))

/** Rule strings of every form, with changes on any day of the year. */
export const anyRuleString = zoneWith(anyRules)

/** As `anyRuleString`, with changes that a time of 167 hours cannot carry across New Year. */
export const ruleStringInsideTheYear = zoneWith(rulesInsideTheYear)
