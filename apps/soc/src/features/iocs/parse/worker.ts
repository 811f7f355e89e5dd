import { parentPort, workerData } from 'node:worker_threads'
import { type ImportFile, readImport } from './parse-import.ts'

const { bytes, ...about }: Omit<ImportFile, 'text'> & { bytes: Uint8Array } = workerData
const text = new TextDecoder().decode(bytes)
parentPort?.postMessage(readImport({ ...about, text }))
