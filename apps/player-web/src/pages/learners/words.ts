import { say } from '../../here.ts'
import { ar, en } from './catalogue.ts'

/** The words of these pages in the language of the phone. */
export const words = () => (say.value.language === 'ar' ? ar : en)
