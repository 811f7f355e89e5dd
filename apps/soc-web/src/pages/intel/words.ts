import { catalogue } from '../../words/catalogue.ts'

export const useWords = catalogue({
  en: {
    title: 'Intel',
    find: 'Find an indicator',
    add: 'Add an indicator',
    value: 'Value',
    valueHint:
      'An address, network, domain, URL, hash, e-mail or CVE; its type is recognised (an import hash as imphash:…)',
    score: 'Score, 0 to 100',
    why: 'Where it comes from',
    save: 'Add',
    saved: 'Indicator added; the stored logs are being searched for it',
    import: 'Import',
    importTitle: 'Import indicators',
    importText: 'STIX 2.1, MISP JSON or CSV, as it comes from the sender.',
    imported: 'Imported',
    export: 'Export as STIX',
    columns: {
      value: 'Indicator',
      type: 'Type',
      score: 'Score',
      tlp: 'TLP',
      sources: 'Sources',
      seen: 'Sightings',
      last: 'Last seen',
    },
    empty: 'No indicators yet',
    emptyText:
      'Add one, or import a feed. Stored and arriving logs are matched against all of them.',
    revoke: 'Revoke',
    revoked: 'Revoked: it matches no longer',
    prevalence: 'How common it is in the logs',
    onHosts: { one: '{n} host', other: '{n} hosts' },
    onDays: { one: 'on {n} day', other: 'on {n} days' },
    sightings: 'Events it was seen in',
    search: 'Search the logs for it',
    file: 'File',
  },
})
