/** A line for every tenth of a long piece of work, with the time that is left by the pace so far. */
export function createProgress(print: (line: string) => void, what: string, total: number) {
  const began = performance.now()
  let told = 0
  return (done: number) => {
    const tenth = Math.floor((10 * done) / total)
    if (tenth === told) return
    told = tenth
    const seconds = (performance.now() - began) / 1_000
    const left = done < total ? `, ${((seconds / done) * (total - done)).toFixed(0)} s left` : ''
    print(`… ${what}: ${tenth * 10} % after ${seconds.toFixed(0)} s${left}`)
  }
}
