import { wordsIn } from '../../here.ts'
import { ar } from './catalogue-ar.ts'
import { en } from './catalogue-en.ts'

export const words = wordsIn({ ar, en })
