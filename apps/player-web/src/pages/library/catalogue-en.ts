import { counted } from '@manara/ui/words'

export const en = {
  library: {
    title: 'Library',
    search: 'Surah or reciter',
    searchSurah: 'Name or number of a surah',
    surahs: 'Surahs',
    reciters: 'Reciters',
    noSurah: 'No surah is called that.',
    noReciter: 'No reciter on the card is called that.',
    complete: 'Complete',
    count: counted({ one: '{n} surah', other: '{n} surahs' }),
    plays: counted({ one: '{n} play', other: '{n} plays' }),
    byVerse: 'Verse by verse',
    notDecoded: counted({
      one: 'One file on the card cannot be played on this box ({k}). As mp3, flac, ogg or wav it can.',
      other:
        '{n} files on the card cannot be played on this box ({k}). As mp3, flac, ogg or wav they can.',
    }),
    byWhom: '{s}: by whom?',
    hasNot: '{r} does not have {s} on the card.',
    reciterGone: 'This reciter is no longer on the card.',
    empty: 'No recitations yet',
    emptyWhy:
      'Put a folder for each reciter on the memory card, with files such as 001.mp3 to 114.mp3.',
    unreadable:
      'Not all of the card can be read; it may be damaged. Put it in again, or copy it to another one.',
    readingWhy: 'Recitations show here by themselves. A worn card takes a while.',
    noCardWhy: 'Put the card with the recitations into the box; they show here by themselves.',
    rescan: 'Look again',
    upload: 'Add recitations',
    uploadWhat:
      'Files from this phone go onto the card of the box. Name them by the number of the surah, such as 067.mp3.',
    uploadTo: 'Reciter',
    newReciter: 'A new reciter',
    newReciterName: 'Name of the reciter',
    chooseFiles: 'Choose files',
    uploading: '{s}: {p}',
    callOff: 'Cancel {s}',
    uploaded: '{s}: done',
    uploadFailed: '{s}: {why}',
    uploadNo: 'Nothing can be put on the card: {why}',
    room: '{n} GB free on the card',
  },
}
