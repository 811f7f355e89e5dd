import { isUtf8 } from 'node:buffer'
import { answerCalls } from '@manara/kit/thread/answer-calls'
import { type ImportFile, type ReadImport, readImport } from './parse-import.ts'

export type ReadImportCalls = {
  read(file: Omit<ImportFile, 'text'> & { bytes: Uint8Array }): ReadImport
}

answerCalls<ReadImportCalls>({
  read: ([{ bytes, ...about }]) =>
    isUtf8(bytes)
      ? readImport({ ...about, text: new TextDecoder().decode(bytes) })
      : { problem: 'is not valid UTF-8: save it in that encoding' },
})
