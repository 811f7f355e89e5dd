/** `2026-03-02 08:45:12`, in UTC as the heading of the column says. */
export const clock = (moment: string) =>
  new Date(moment).toISOString().slice(0, 19).replace('T', ' ')

export function duration(from: string, to: string): string {
  return seconds((Date.parse(to) - Date.parse(from)) / 1_000)
}

export function seconds(amount: number): string {
  const minutes = Math.round(amount / 60)
  if (minutes < 1) return `${Math.round(amount)} s`
  if (minutes < 120) return `${minutes} min`
  const hours = amount / 3_600
  return hours < 48 ? `${hours.toFixed(1)} h` : `${(hours / 24).toFixed(1)} days`
}
