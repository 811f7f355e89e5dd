/** More in a second are more than agents could follow while they are being written. */
const MANY = 100
const SECOND_MS = 1_000

/** Whether changes are asked for so fast that those who ask come before what follows from them. */
export function createHurry(now: () => number = performance.now.bind(performance)) {
  let second = Math.floor(now() / SECOND_MS)
  let asked = 0
  let before = 0

  function turn() {
    const current = Math.floor(now() / SECOND_MS)
    if (current === second) return
    before = current === second + 1 ? asked : 0
    asked = 0
    second = current
  }

  return {
    note() {
      turn()
      asked += 1
    },
    isHigh() {
      turn()
      return Math.max(asked, before) >= MANY
    },
  }
}
