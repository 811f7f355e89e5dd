import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSpeech } from '@manara/ui/words'
import { ar } from '../words/ar.ts'
import { en } from '../words/en.ts'
import { reasonsAr } from '../words/reasons-ar.ts'
import { reasonsEn } from '../words/reasons-en.ts'
import { said } from '../words/said.ts'
import { Refused, Unreachable } from './api.ts'
import { createReasons } from './reasons.ts'

const arabic = createReasons(
  () => createSpeech('ar', ar),
  () => said,
)
const english = createReasons(
  () => createSpeech('en', en),
  () => said,
)

/** As the box says it, and which sentence of ours that is. */
const SAID: Record<string, keyof typeof reasonsEn> = {
  'path: is taken; send overwrite true to replace the file': 'taken',
  'path: must end in one of mp3, flac, ogg, opus, wav': 'wrongKind',
  'path: cannot be played: MP4 and AAC are not supported by the embedded engine': 'wrongKind',
  'path: cannot be played: not a sound file of a known kind': 'notSound',
  'path: must not contain < > : " | ? *': 'badName',
  'path: names no playable file on the card': 'notOnCard',
  'path: the card is read-only: take its lock off, or mount it for writing': 'readOnly',
  'the card is not in': 'noCard',
  'the card cannot be written (EIO)': 'notWritten',
  'size: does not fit: 1024 bytes are free for uploads': 'noRoom',
  'size: must be at most 2147483648 bytes': 'tooLarge',
  'uploads: 100 are under way; finish or cancel one first': 'uploadsMany',
  'upload: nothing came for 60 s; go on where it is': 'cutOff',
  'surah: 67 of Husary is not on the card': 'notOnCard',
  'target.id: there is no favorite 7': 'wasRemoved',
  'position: a live stream cannot be sought': 'notForStreams',
  'resume: no position is saved yet': 'nothingPlays',
  'the station answered 404': 'stationSays',
  'getaddrinfo ENOTFOUND radio.example': 'noAnswer',
  'no answer within 8 seconds': 'noAnswer',
  'the station ended the connection': 'leadsNowhere',
  'it sends text/html, which is no sound': 'noSound',
  'url: must be http or https': 'badAddress',
  'password: the network did not accept the password': 'wifiPassword',
  'password: must be 8 to 63 printable ASCII characters, or empty for an open network':
    'wifiLength',
  'ssid: no network of that name is in range': 'wifiNotFound',
  'wifi: NetworkManager is not installed': 'wifiNone',
  'url: the server answered 404': 'serverSays',
  'wifi: NetworkManager is not running or there is no Wi-Fi device': 'wifiNone',
  'image: is not signed by a trusted key': 'notSigned',
  'image: is not a firmware image': 'badImage',
  'image: was cut off before its signature': 'badImage',
  'image: was cut off: the connection was lost': 'cutOff',
  'image: 1.2.0 is not newer than 1.3.0: allow_downgrade installs it all the same': 'notNewer',
  'image: is for linux-arm64, this box is linux-x64': 'otherBox',
  'update: needs 412 MiB of free disk': 'noRoom',
  'update: one is already under way: verifying': 'updating',
  '1.4.0 was rolled back: it did not come up in 3 starts': 'didNotRun',
  'the box was off, asleep or without the time when it was due': 'wasOff',
  'the box does not know the date yet: set the clock in the settings': 'noClock',
  'nothing new while 3 of the recent portions are weak': 'weakFirst',
  'everything in this plan is learnt': 'planLearnt',
  'its pauses do not fit the 30 verses of surah 67': 'pausesDoNotFit',
  'pcscd knows no reader; cards cannot be tapped until a reader answers': 'noReader',
  'a.mp3: names no playable file on the card; the built-in chime announces prayers instead':
    'chimeInstead',
  'no sound device found; sound goes to the null sink': 'noDevice',
  'the file went away or became shorter while it was playing': 'fileGone',
  'the file became shorter while it was playing': 'fileGone',
  'the file cannot be read any more: EIO: i/o error, read': 'fileGone',
  'the card was removed': 'fileGone',
  'HLS is not supported by the embedded engine': 'stationKind',
  'no MPEG frames found': 'notSound',
  'mode: the verses of this recording are not known': 'versesUnknown',
  'verses: not sure where these begin or end: 2, 3; mark them by ear, or send unsure: true':
    'versesUnsure',
  'aplay ended: audio open error: No such device': 'soundBroke',
  ...Object.fromEntries(
    [
      'cannot be written: the disk is full',
      'cannot be written: the file system is read-only',
      'is damaged, and the disk is too full to mend it',
    ].map((problem) => [
      `PLAYER_DATA: /data ${problem}; the box goes on, and what is changed now is forgotten when it stops: mend that and start it again`,
      'notKept' as const,
    ]),
  ),
  'a.mp3: names no playable file on the card; no dua follows the adhan': 'noDua',
  'a.mp3: the card does not answer; the common adhan calls instead': 'commonAdhanInstead',
  'a.mp3: cannot be read: EIO; the built-in chime is heard instead': 'noticeChimeInstead',
  'the built-in chime cannot be made: ENOSPC: no space left on device': 'noChime',
  'the certificate could not be renewed: EACCES: permission denied, open': 'certificateOld',
  'the name of the box is not announced: bind EADDRINUSE 0.0.0.0:5353': 'nameUnknown',
  'there is no screen to show the code on': 'noScreen',
  'aplay not installed; sound goes to the null sink': 'noSoundProgram',
  'mpv could not be started: it ended; playing with the embedded engine': 'otherEngine',
  '1.4.0 was not started: the disk is full or read-only. Make room and start the box again':
    'updateWaits',
  '/dev/input/event0: No such file or directory': 'buttonsGone',
  'broker.home: Connection refused: Not authorized': 'brokerRefuses',
  'broker.home: does not answer': 'noAnswer',
  'EACCES: permission denied, mkdir': 'notReadable',
  'times.json: is not JSON': 'timingUnused',
  'the disk had damaged what the box remembers; what could still be read was kept: look through the settings, the schedules and the cards, or bring a backup back. The damaged file is player.db.damaged':
    'storeMended',
  'the disk had damaged what the box remembers; what could still be read was kept, in memory alone: start the box with a disk that takes it, and then look through the settings, the schedules and the cards, or bring a backup back. The damaged file stays as it is until then':
    'storeMendedInMemory',
  'the disk had lost what the box remembers; nothing of it could be read any more: look through the settings, the schedules and the cards, or bring a backup back. The damaged file is player.db.damaged':
    'storeLost',
  'the disk had lost what the box remembers; nothing of it could be read any more, in memory alone: start the box with a disk that takes it, and then look through the settings, the schedules and the cards, or bring a backup back. The damaged file stays as it is until then':
    'storeLostInMemory',
}

test('what the box says is said in the language of the person', () => {
  const bare = (text: string) => text.replace(/\u2068.*?\u2069|\{\w\}/g, '')
  for (const [text, reason] of Object.entries(SAID)) {
    assert.equal(bare(arabic.meaning(text)), bare(reasonsAr[reason]), text)
    assert.equal(bare(english.meaning(text)), bare(reasonsEn[reason]), text)
    assert.equal(arabic.of(new Refused(400, text)), arabic.meaning(text))
  }
})

test('what the box told with it is kept', () => {
  assert.match(arabic.of(new Refused(400, 'url: is already saved as Cairo')), /Cairo/)
  assert.match(arabic.meaning('the station answered 503'), /503/)
  assert.match(arabic.of(new Refused(400, 'image: 2.0 needs 1.9 first, this box runs 1.0')), /1\.9/)
})

test('what a worn disk has spoilt is named, and where the rest is kept', () => {
  const spoilt =
    'some of what the box remembers cannot be understood any more and was left aside (settings, the kept place)'
  assert.match(arabic.meaning(`${spoilt}: look through that`), /جانبًا: الإعدادات، موضع التوقف\./)
  assert.match(english.meaning(`${spoilt}: look through that`), /aside: settings, the place where/)
  assert.match(english.meaning(`${spoilt}, in memory alone: start the box`), /until the box stops/)
})

test('what nobody foresaw is told as the box says it, behind a sentence of ours', () => {
  assert.equal(
    arabic.of(new Refused(400, 'days: must be 0 to 127')),
    'لم يقبل الجهاز ذلك: \u2068days: must be 0 to 127\u2069',
  )
  assert.equal(arabic.of(new Refused(500, 'internal error')), ar.errors.box)
  assert.equal(arabic.of(new Refused(404, 'card 04 not found')), ar.errors.gone)
  assert.equal(arabic.of(new Refused(429, 'too many change requests')), ar.errors.tooMany)
  assert.equal(arabic.of(new Unreachable('TypeError: Failed to fetch')), ar.errors.unreachable)
})
