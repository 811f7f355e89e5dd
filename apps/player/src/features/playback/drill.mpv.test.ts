import { openMpvDevice } from '../../adapters/testing/devices.ts'
import { drillContract } from './drill.contract.ts'

drillContract('mpv', openMpvDevice)
