import { isolate, type Known } from '../stores/reasons.ts'
import { reasonsAr } from './reasons-ar.ts'
import { reasonsEn } from './reasons-en.ts'

type Reason = keyof typeof reasonsEn

/** What of the box a worn disk has spoilt. */
const PARTS: Record<string, Reason> = {
  settings: 'keptSettings',
  'the token or the clock': 'keptToken',
  'prayer times': 'keptPrayer',
  schedules: 'keptSchedules',
  cards: 'keptCards',
  favorites: 'keptFavorites',
  'the queue': 'keptQueue',
  'the kept place': 'keptPlace',
  'plans of learners': 'keptPlans',
  'events for the platform': 'keptEvents',
}

/** A file beside a recording is named with what is wrong with it. */
const TIMING =
  /^(?<s>[^:/]+\.\w+)(: (is larger than \d|is not (JSON|an SQLite)|has (no (lines|table)|a table)|is in no shape|gives words|it has \d+ verses|verse \d+ |belongs to another|its times end)| was not compared)/

/**
 * What the box says is for people who read English: this tells what it means by it. The first that
 * fits counts; what none fits is shown as it was said.
 */
const SAID: [Reason, RegExp][] = [
  ['cardPlaysNothing', /^the card that was tapped last plays nothing: (?<why>.+)$/],
  ['didNotRun', /was rolled back|was damaged on the disk/],
  ['updateWaits', /was not started: the disk/],
  ['notKept', /is forgotten when it stops/],
  ['partsUnreadInMemory', /was left aside \((?<each>.+)\), in memory alone/],
  ['partsUnread', /was left aside \((?<each>.+)\)/],
  ['storeMendedInMemory', /had damaged what the box remembers.*in memory alone/],
  ['storeMended', /had damaged what the box remembers/],
  ['storeLostInMemory', /had lost what the box remembers.*in memory alone/],
  ['storeLost', /had lost what the box remembers/],
  ['chimeInstead', /built-in chime announces/],
  ['noticeChimeInstead', /built-in chime is heard/],
  ['noChime', /built-in chime cannot/],
  ['commonAdhanInstead', /the common adhan calls/],
  ['noDua', /no dua follows/],
  ['certificateOld', /certificate could not be renewed/],
  ['nameUnknown', /the name of the box is not announced/],
  ['eventsWait', /^events cannot be sent: (?<why>.+)$/],
  ['otherEngine', /playing with the embedded engine/],
  ['buttonsGone', /^\/dev\/input\//],
  ['brokerRefuses', /: Connection refused|the broker refuses/],
  ['timingUnused', TIMING],
  ['verseFiles', /(?<s>the file of verse \d+ is missing|there are files of \d+ verses.*)/],
  ['taken', /is taken; send overwrite/],
  ['planChanged', /has changed this plan meanwhile/],
  ['stationKind', /(HLS|kind of stream) is not supported/],
  ['wrongKind', /must end in one of|(AAC|Ogg file|WAV coding) (is|are) not supported/],
  ['noRoom', /does not fit: |of free disk|with the uploads under way/],
  ['tooLarge', /size: must be at most|is larger than the/],
  ['uploadsOff', /uploads are turned off/],
  ['uploadsMany', /uploads: \d+ are under way/],
  ['notSigned', /not signed by/],
  ['badImage', /cut off before its signature/],
  ['badBackup', /was cut or changed(:| since it was made)|does not understand it/],
  ['newerBackup', /the backup is of a newer version, (?<v>[^:]+):/],
  [
    'cutOff',
    /sha256: |was cut off|took too long to arrive|its end is missing|nothing came for .*; go on/,
  ],
  ['stationTaken', /is already saved as (?<s>.+)$/],
  ['badName', /path: (must|names a folder|leads out)/],
  ['readOnly', /is read-only/],
  ['noCard', /the card is not in$/],
  ['adhanFirst', /the call to prayer comes first/],
  ['cardSilent', /the card does not answer/],
  ['stationSlow', /too little comes to be heard/],
  ['notWritten', /may not be written|cannot be written/],
  ['notOnCard', /on the card$/],
  ['wasRemoved', /there is no (favorite|learner) /],
  ['notForStreams', /a live stream/],
  ['notInAdhan', /the adhan cannot be sought/],
  ['justEnded', /it has just ended/],
  ['nothingPlays', /nothing is playing|no file that plays|no position is saved|been played yet/],
  ['queueFull', /the queue takes/],
  ['listFull', /(stations|favorites) already/],
  ['serverSays', /the server answered (?<n>\d+)/],
  ['stationSays', /the station answered (?<n>\d+)/],
  [
    'noAnswer',
    /: (no answer|does not answer)$|no answer (with)?in |\bE(CONN|HOST|NET|AI_|NOTFOUND|TIMEDOUT)|stream is over|nothing came for/,
  ],
  ['noSound', /it sends (?<s>.+), which is no sound/],
  ['noStations', /names no station/],
  [
    'leadsNowhere',
    /ended the connection|playlists that only|more than \d+ redirects|the playlist (is too long|names no)/,
  ],
  [
    'badAddress',
    /must be (a complete address|http)|must not (carry|be a link-local|use port|be longer than \d+ char)|the address |url: must not|open internet/,
  ],
  [
    'notSound',
    /known kind|is (no|not) sound|decode|decoding|damaged at its start|no sound in it|no MPEG frames|does not say (what|how long) it is|it cannot be played|unrecogni[sz]ed|no audio or video|loading failed/,
  ],
  ['wifiLength', /must be 8 to 63/],
  ['wifiNotFound', /no network of that name/],
  ['wifiPassword', /did not accept the password/],
  ['wifiNeedsPassword', /network needs a password/],
  ['wifiOpen', /network has no password/],
  ['wifiNoAddress', /gave the box no address/],
  ['wifiSilent', /network did not answer/],
  ['wifiNone', /there is no Wi-Fi device|NetworkManager is not installed/],
  ['wifiRefused', /NetworkManager refused/],
  ['notNewer', /is not newer than/],
  ['needsFirst', /needs (?<v>\S+) first/],
  ['otherBox', /is for \S+, this box is/],
  ['noLauncher', /without the launcher/],
  ['updating', /already under way|an update is under way/],
  ['wasOff', /was off, asleep/],
  ['noClock', /does not know the date/],
  ['noPlan', /has no plan yet/],
  ['doneToday', /nothing is left to hear/],
  ['weakFirst', /of the recent portions are weak/],
  ['planLearnt', /everything in this plan is learnt/],
  ['learnersFull', /learners already/],
  ['listenLater', /wait to be listened to|still to be listened to/],
  ['pausesDoNotFit', /its pauses|it has \d+ pauses/],
  ['otherLength', /too (short|long) to be surah/],
  ['markElsewhere', /must come (before|after) verse|the recording is \d+ ms/],
  ['versesUnsure', /not sure where these begin or end: (?<s>[\d, ]+)/],
  ['versesApart', /every verse is a file of its own/],
  ['versesUnknown', /verses of this recording are not known|nobody has looked for them/],
  ['noSurah', /this file is no surah/],
  ['cannotSleep', /cannot sleep/],
  [
    'fileGone',
    /went away or became shorter|file (became shorter|cannot be read any more)|the card was removed|the card is gone|was out for a moment/,
  ],
  ['outputGone', /there is no such output/],
  [
    'soundBroke',
    /the audio worker failed|mpv (could not|does not|ended)|to mpv is closed|^(aplay|pw-cat) ended/,
  ],
  ['adhanFails', /the adhan cannot be played/],
  ['noReader', /cards cannot be tapped/],
  ['badImage', /^image: /],
  ['tooLong', /longer than ten hours/],
  ['backlight', /the backlight refused/],
  [
    'noScreen',
    /no screen to show|screen cannot be drawn|the font |^\/dev\/\w+ (is not there|has \d+ bits)/,
  ],
  ['diskFull', /disk is full|ENOSPC|make room in its data/],
  ['noDevice', /no sound device/],
  ['noSoundProgram', /goes to the null sink/],
  ['notReadable', /\b(?<s>E(ACCES|BUSY|IO|ISDIR|LOOP|NOENT|NOTDIR|PERM|ROFS))\b/],
  ...Object.entries(PARTS).map(([name, reason]): [Reason, RegExp] => [
    reason,
    new RegExp(`^${name}$`),
  ]),
]

/** The same in the language of the person, where it is known; what the box told with it is kept. */
export const said: Known = (text, language, fill) => {
  const catalogue = language === 'ar' ? reasonsAr : reasonsEn
  for (const [reason, pattern] of SAID) {
    const found = pattern.exec(text)
    if (!found) continue
    const { why, each, ...told } = found.groups ?? {}
    const mean = (part: string) => said(part, language, fill) ?? isolate(part)
    return fill(catalogue[reason], {
      ...isolated(told),
      ...(why && { why: mean(why) }),
      ...(each && {
        each: each
          .split(', ')
          .map(mean)
          .join(language === 'ar' ? '، ' : ', '),
      }),
    })
  }
  return undefined
}

const isolated = (told: Record<string, string>) =>
  Object.fromEntries(Object.entries(told).map(([name, text]) => [name, isolate(text)]))
