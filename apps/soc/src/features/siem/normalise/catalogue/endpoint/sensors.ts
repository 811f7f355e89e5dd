import type { LogFormat } from '../log-format.ts'
import { snort, snortJson } from '../network/snort.ts'
import { eslogger } from './eslogger.ts'
import { falco, falcoLines } from './falco.ts'
import { osquery } from './osquery.ts'
import { tetragon } from './tetragon.ts'
import { ossec, wazuh } from './wazuh.ts'

/** What watches networks and machines, and says what it thinks of what it saw. */
export const SENSORS: readonly LogFormat[] = [
  snort,
  snortJson,
  wazuh,
  ossec,
  falco,
  falcoLines,
  osquery,
  tetragon,
  eslogger,
]
