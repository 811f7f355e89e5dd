import { wordsIn } from '../../here.ts'
import { ar, en } from './catalogue.ts'

export const words = wordsIn({ ar, en })
