import assert from 'node:assert/strict'
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { createCard } from '../../adapters/card-library.ts'
import { type Scan, type ScanOptions, scanCard } from './scan-card.ts'
import { tempCard } from './testing/temp-card.ts'

function setup(t: TestContext, ...files: string[]) {
  const folder = tempCard(t, ...files)
  const card = createCard(folder.mount)
  const listed: string[] = []
  const deps = {
    card: {
      ...card,
      list: (path: string) => {
        listed.push(path)
        return card.list(path)
      },
    },
    playable: ['mp3', 'flac'],
    // A minute on, as the files of a real card are older than its first scan.
    now: () => Date.now() + 60_000,
  }
  const scan = (options?: ScanOptions) => {
    listed.length = 0
    return scanCard(deps, options)
  }
  return { ...folder, card, deps, listed, scan }
}

const surahs = ({ folders }: Scan) =>
  Object.fromEntries(
    Array.from(folders, ([path, folder]) => [path, [...folder.surahs.values()].sort()]).filter(
      ([, files]) => files?.length,
    ),
  )

test('surahs are found in folders at any level and at the root', async (t) => {
  const { scan } = setup(
    t,
    '114.mp3',
    'Husary/001.mp3',
    'Husary/002 - Al-Baqarah.flac',
    'Hafs/Murattal/Minshawi/٠٣٦.mp3',
    'Husary/cover.jpg',
    'Husary/001001.mp3',
  )
  assert.deepEqual(surahs(await scan()), {
    '.': ['114.mp3'],
    Husary: ['001.mp3', '002 - Al-Baqarah.flac'],
    'Hafs/Murattal/Minshawi': ['٠٣٦.mp3'],
  })
})

test('a name that no path may hold is not on the card for anybody', async (t) => {
  const { scan } = setup(
    t,
    'Husary/001.mp3',
    'Husary/002\n.mp3',
    'Husary/003 a%2Fb.mp3',
    'Husary/004 a\\b.mp3',
    'Husary/005 %.mp3',
    'Line\nbreak/001.mp3',
  )
  assert.deepEqual(surahs(await scan()), { Husary: ['001.mp3', '005 %.mp3'] })
})

test('hidden files and what computers leave behind are passed over', async (t) => {
  const { scan } = setup(
    t,
    'Husary/._001.mp3',
    '.Trash/001.mp3',
    '.Trashes/501/001.mp3',
    'System Volume Information/001.mp3',
    'LOST.DIR/001.mp3',
    '__MACOSX/Husary/001.mp3',
    '$RECYCLE.BIN/001.mp3',
  )
  assert.deepEqual(surahs(await scan()), {})
})

test('a folder that is called like a file is a folder', async (t) => {
  const { scan } = setup(t, '001.mp3/002.mp3')
  assert.deepEqual(surahs(await scan()), { '001.mp3': ['002.mp3'] })
})

test('a link counts when it leads to a file on the card; one that leaves it does not', async (t) => {
  const { scan, slot, at, put } = setup(t, 'Husary/001.mp3')
  mkdirSync(at('Links'))
  writeFileSync(`${slot}/outside.mp3`, '')
  put('../elsewhere/003.mp3')
  symlinkSync('../Husary/001.mp3', at('Links/001.mp3'))
  symlinkSync('../../outside.mp3', at('Links/002.mp3'))
  symlinkSync('nowhere.mp3', at('Links/004.mp3'))
  symlinkSync(`${slot}/elsewhere`, at('Elsewhere'))
  assert.deepEqual(surahs(await scan()), { Husary: ['001.mp3'], Links: ['001.mp3'] })
})

test('links that go round in a circle do not hang a scan', async (t) => {
  const { scan, at } = setup(t, 'Husary/001.mp3')
  symlinkSync('..', at('Husary/up'))
  symlinkSync('b.mp3', at('Husary/a.mp3'))
  symlinkSync('a.mp3', at('Husary/b.mp3'))
  assert.deepEqual([...(await scan()).folders.keys()], ['.', 'Husary'])
})

test('a scan goes eight folders deep', async (t) => {
  const { scan } = setup(t, 'a/b/c/d/e/f/g/h/001.mp3', 'a/b/c/d/e/f/g/h/i/001.mp3')
  assert.deepEqual(surahs(await scan()), { 'a/b/c/d/e/f/g/h': ['001.mp3'] })
})

test('a card that is not there has no folders', async (t) => {
  const { scan } = setup(t)
  assert.deepEqual((await scan()).folders, new Map())
})

test('a rescan of an unchanged card lists no folder and finds the same', async (t) => {
  const { scan, listed, age } = setup(t, 'Hafs/Husary/001.mp3', 'Minshawi/001.mp3')
  age()
  const first = await scan()
  assert.equal(first.isChanged, true)
  assert.equal(listed.length, 4)
  const second = await scan({ known: first.folders })
  assert.equal(second.isChanged, false)
  assert.deepEqual(listed, [])
  assert.deepEqual(second.folders, first.folders)
})

const CHANGES: {
  what: string
  change(card: ReturnType<typeof setup>): void
  lists: string[]
  finds: Record<string, string[]>
}[] = [
  {
    what: 'an added file',
    change: ({ put }) => put('Hafs/Husary/002.mp3'),
    lists: ['Hafs/Husary'],
    finds: { 'Hafs/Husary': ['001.mp3', '002.mp3'], Minshawi: ['001.mp3'] },
  },
  {
    what: 'a removed file',
    change: ({ at }) => rmSync(at('Hafs/Husary/001.mp3')),
    lists: ['Hafs/Husary'],
    finds: { Minshawi: ['001.mp3'] },
  },
  {
    what: 'a renamed file',
    change: ({ at }) => renameSync(at('Minshawi/001.mp3'), at('Minshawi/114.mp3')),
    lists: ['Minshawi'],
    finds: { 'Hafs/Husary': ['001.mp3'], Minshawi: ['114.mp3'] },
  },
  {
    what: 'a file replaced by one of another format',
    change: ({ at, put }) => {
      rmSync(at('Minshawi/001.mp3'))
      put('Minshawi/001.flac')
    },
    lists: ['Minshawi'],
    finds: { 'Hafs/Husary': ['001.mp3'], Minshawi: ['001.flac'] },
  },
  {
    what: 'a renamed folder',
    change: ({ at }) => renameSync(at('Hafs/Husary'), at('Hafs/Basit')),
    lists: ['Hafs', 'Hafs/Basit'],
    finds: { 'Hafs/Basit': ['001.mp3'], Minshawi: ['001.mp3'] },
  },
  {
    what: 'two folders that changed names',
    change: ({ at, put }) => {
      put('Minshawi/002.mp3')
      renameSync(at('Hafs/Husary'), at('new'))
      renameSync(at('Minshawi'), at('Hafs/Husary'))
      renameSync(at('new'), at('Minshawi'))
    },
    lists: ['.', 'Hafs', 'Minshawi', 'Hafs/Husary'],
    finds: { 'Hafs/Husary': ['001.mp3', '002.mp3'], Minshawi: ['001.mp3'] },
  },
  {
    what: 'a new folder deep inside',
    change: ({ put }) => put('Hafs/Husary/Mujawwad/1960/001.mp3'),
    lists: ['Hafs/Husary', 'Hafs/Husary/Mujawwad', 'Hafs/Husary/Mujawwad/1960'],
    finds: {
      'Hafs/Husary': ['001.mp3'],
      'Hafs/Husary/Mujawwad/1960': ['001.mp3'],
      Minshawi: ['001.mp3'],
    },
  },
  {
    what: 'a removed folder',
    change: ({ at }) => rmSync(at('Hafs'), { recursive: true }),
    lists: ['.'],
    finds: { Minshawi: ['001.mp3'] },
  },
]

for (const { what, change, lists, finds } of CHANGES) {
  test(`a rescan notices ${what} and lists only where it happened`, async (t) => {
    const card = setup(t, 'Hafs/Husary/001.mp3', 'Minshawi/001.mp3')
    card.age()
    const { folders: known } = await card.scan()
    change(card)
    const found = await card.scan({ known })
    assert.equal(found.isChanged, true)
    assert.deepEqual(surahs(found), finds)
    assert.deepEqual(card.listed, lists)
  })
}

test('a file replaced under its own name is listed again but changes nothing here', async (t) => {
  const { scan, listed, age, at, put } = setup(t, 'Husary/001.mp3')
  age()
  const { folders: known } = await scan()
  put('new.part')
  renameSync(at('new.part'), at('Husary/001.mp3'))
  const found = await scan({ known })
  assert.equal(found.isChanged, false)
  assert.ok(listed.includes('Husary'))
})

test('a change that leaves the times as they were is noticed right after the first', async (t) => {
  const { deps, put } = setup(t, 'Husary/001.mp3')
  // FAT: both changes fall into one step of two seconds, so the second moves nothing.
  const stamp = { inode: '1:1', mtime_ms: 50_000, ctime_ms: 50_000 }
  const coarse = {
    ...deps,
    card: { ...deps.card, folderStamp: async () => stamp },
    now: () => 51_500,
  }
  const { folders: known } = await scanCard(coarse)
  put('Husary/002.mp3')
  const found = await scanCard(coarse, { known })
  assert.deepEqual(surahs(found), { Husary: ['001.mp3', '002.mp3'] })
})

test('an aborted scan rejects and goes no further', async (t) => {
  const { deps, listed } = setup(t, 'a/b/001.mp3')
  const abort = new AbortController()
  const list = (path: string) => {
    abort.abort()
    return deps.card.list(path)
  }
  const scanning = scanCard({ ...deps, card: { ...deps.card, list } }, { signal: abort.signal })
  await assert.rejects(scanning, { name: 'AbortError' })
  assert.deepEqual(listed, ['.'])
})

test('a folder that cannot be read is named and the rest is found', async (t) => {
  const { deps } = setup(t, 'Broken/001.mp3', 'Husary/001.mp3')
  const failing = (path: string) => async (folder: string) => {
    if (folder === path) throw new Error('EIO: i/o error')
    return deps.card.list(folder)
  }
  const found = await scanCard({ ...deps, card: { ...deps.card, list: failing('Broken') } })
  assert.deepEqual(found.unreadable, ['Broken: EIO: i/o error'])
  assert.deepEqual(surahs(found), { Husary: ['001.mp3'] })
  await assert.rejects(scanCard({ ...deps, card: { ...deps.card, list: failing('.') } }), /EIO/)
})

test('a known folder that can no longer be read is a change', async (t) => {
  const { deps, scan, age } = setup(t, 'Husary/001.mp3')
  age()
  const { folders: known } = await scan()
  const folderStamp = async (folder: string) => {
    if (folder === 'Husary') throw new Error('EIO: i/o error')
    return deps.card.folderStamp(folder)
  }
  const found = await scanCard({ ...deps, card: { ...deps.card, folderStamp } }, { known })
  assert.equal(found.isChanged, true)
  assert.deepEqual(surahs(found), {})
})
