import { counted } from '@manara/ui/words'

// Beside the page, so that the first view does not carry it.
export const en = {
  radio: {
    title: 'Radio',
    add: 'Add a station',
    editTitle: 'Station',
    change: 'Change {s}',
    address: 'Address of the stream',
    addressHint: 'Paste it: http or https. M3U and PLS files lead to their stream.',
    name: 'Name',
    unlikely: 'This is not yet a complete address.',
    asking: 'The box is listening…',
    answers: 'It answers with sound.',
    doesNot: 'It does not play: {why}',
    empty: 'No stations yet',
    emptyWhy: 'Paste the address of a station, or take over a list from another player.',
    import: 'Import a list',
    importWhat: 'A list from another player: M3U, PLS or OPML.',
    chooseFile: 'Choose a file',
    orPaste: 'Or paste its text',
    take: 'Import',
    imported: counted({ one: '{n} station was added.', other: '{n} stations were added.' }),
    skipped: counted({ one: '{n} address was left out:', other: '{n} addresses were left out:' }),
  },
}
