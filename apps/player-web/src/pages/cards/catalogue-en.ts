// Beside the page, so that the first view does not carry it.
export const en = {
  cards: {
    title: 'Cards',
    hold: 'Hold a card to the box',
    holdHint: 'It opens here the moment it is noticed.',
    noReader: 'No card reader',
    noReaderWhy: 'Plug one into the box; it is found by itself.',
    locked: 'The cards are private',
    lockedWhy: 'Which cards there are is shown to phones that have the device token.',
    show: 'Show the cards',
    empty: 'No card is known yet.',
    never: 'never tapped',
    newTitle: 'A new card',
    editTitle: 'Card',
    name: 'Whose, or what for',
    nameHint: 'Maryam',
    nameIt: 'Give the card a name, so that you know it again.',
    does: 'When it is tapped',
    repeat: 'Repeat and memorise',
    secondTap: 'When it is tapped again while this plays',
    secondTaps: {
      toggle: 'Pause, go on',
      restart: 'From the beginning',
      next: 'Next surah',
      ignore: 'Nothing',
    },
  },
}
