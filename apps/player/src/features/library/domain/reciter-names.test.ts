import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reciterNames } from './reciter-names.ts'

const named = (...paths: string[]) => Object.fromEntries(reciterNames(paths))

test('a reciter is called what its folder is called, however deep it lies', () => {
  assert.deepEqual(named('Husary', 'Hafs/Murattal/Minshawi'), {
    Husary: 'Husary',
    'Hafs/Murattal/Minshawi': 'Minshawi',
  })
})

test('namesakes are told apart by their parents', () => {
  assert.deepEqual(named('Hafs/Husary', 'Warsh/Husary'), {
    'Hafs/Husary': 'Husary (Hafs)',
    'Warsh/Husary': 'Husary (Warsh)',
  })
})

test('a namesake at the top keeps the plain name', () => {
  assert.deepEqual(named('Husary', 'Warsh/Husary'), {
    Husary: 'Husary',
    'Warsh/Husary': 'Husary (Warsh)',
  })
})

test('parents of the same name bring in their own parents', () => {
  assert.deepEqual(named('A/Hafs/Husary', 'B/Hafs/Husary'), {
    'A/Hafs/Husary': 'Husary (A/Hafs)',
    'B/Hafs/Husary': 'Husary (B/Hafs)',
  })
})

test('surahs at the root belong to Card, and a folder Card is still told apart', () => {
  assert.deepEqual(named('.'), { '.': 'Card' })
  assert.deepEqual(named('Card', '.', 'Card (2)'), {
    '.': 'Card',
    Card: 'Card (3)',
    'Card (2)': 'Card (2)',
  })
})

test('a folder that is called like a told-apart name does not collide with it', () => {
  const names = named('Husary', 'Hafs/Husary', 'Husary (Hafs)')
  assert.equal(new Set(Object.values(names)).size, 3)
})

test('names are the same in whatever order folders are found', () => {
  const paths = ['.', 'Card', 'A/Card', 'B/Card', 'A/B/Card']
  assert.deepEqual(named(...paths), named(...paths.toReversed()))
})

test('spaces around the name of a folder are no part of the reciter, and namesakes are told apart', () => {
  assert.deepEqual(named(' Husary', 'Minshawi '), { ' Husary': 'Husary', 'Minshawi ': 'Minshawi' })
  assert.deepEqual(named(' Husary', 'Husary'), { ' Husary': 'Husary (2)', Husary: 'Husary' })
})

test('a decomposed name, as a Mac writes it, is composed', () => {
  assert.deepEqual(Object.values(named('أحمد'.normalize('NFD'))), ['أحمد'.normalize('NFC')])
})
