/** Below zero when `left` is older: semver 2.0.0, section 11, without build metadata. */
export function compareVersions(left: string, right: string): number {
  const [leftCore, leftTag] = parts(left)
  const [rightCore, rightTag] = parts(right)
  const core = compareLists(leftCore, rightCore)
  if (core !== 0) return core
  // 1.0.0-rc.1 comes before 1.0.0.
  if (leftTag.length === 0 || rightTag.length === 0) return rightTag.length - leftTag.length
  return compareLists(leftTag, rightTag)
}

function parts(version: string): [core: string[], tag: string[]] {
  const dash = version.indexOf('-')
  if (dash < 0) return [version.split('.'), []]
  return [version.slice(0, dash).split('.'), version.slice(dash + 1).split('.')]
}

function compareLists(left: string[], right: string[]): number {
  for (let index = 0; index < Math.min(left.length, right.length); index += 1) {
    const order = compareWords(left[index] ?? '', right[index] ?? '')
    if (order !== 0) return order
  }
  return left.length - right.length
}

function compareWords(left: string, right: string): number {
  const isNumber = [left, right].map((word) => /^\d+$/.test(word))
  if (isNumber[0] && isNumber[1]) return Number(left) - Number(right)
  // A number comes before a word.
  if (isNumber[0] !== isNumber[1]) return isNumber[0] ? -1 : 1
  return left < right ? -1 : left > right ? 1 : 0
}
