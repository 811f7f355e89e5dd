import { openEmbeddedDevice } from '../../adapters/testing/devices.ts'
import { drillContract } from './drill.contract.ts'

drillContract('embedded', openEmbeddedDevice)
