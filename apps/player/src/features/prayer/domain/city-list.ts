/** A place to choose. The first of `names` and of `arabic` is shown, all are searched. */
export type City = {
  names: string[]
  arabic: string[]
  /** ISO 3166 alpha-2; XK for Kosovo. */
  country: string
  lat: number
  lng: number
  zone: string
  /** The zone's present rule as the settings take it. */
  rule: string
}

/**
 * A heading `# country zone rule` holds for the lines that follow it, each `name|Arabic|lat|lng` with
 * other names after a slash.
 */
export function readCityList(text: string): City[] {
  const cities: City[] = []
  let [country, zone, rule] = ['', '', '']
  for (const line of text.split('\n')) {
    if (line.startsWith('# ')) {
      ;[country = '', zone = '', rule = ''] = line.slice(2).split(' ')
      continue
    }
    const [names, arabic, lat, lng] = line.split('|')
    if (!names || !arabic) continue
    cities.push({
      names: names.split('/'),
      arabic: arabic.split('/'),
      country,
      lat: Number(lat),
      lng: Number(lng),
      zone,
      rule,
    })
  }
  return cities
}
