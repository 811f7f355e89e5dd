import type { LogFormat } from '../log-format.ts'
import { azure } from './azure.ts'
import { cloudflare } from './cloudflare.ts'
import { cloudtrail } from './cloudtrail.ts'
import { duo } from './duo.ts'
import { github } from './github.ts'
import { googleCloud } from './google-cloud.ts'
import { googleWorkspace } from './google-workspace.ts'
import { guardduty } from './guardduty.ts'
import { microsoft365 } from './microsoft-365.ts'
import { okta } from './okta.ts'
import { slack } from './slack.ts'

export const CLOUDS: LogFormat[] = [
  okta,
  guardduty,
  cloudtrail,
  googleCloud,
  googleWorkspace,
  microsoft365,
  duo,
  slack,
  github,
  cloudflare,
  azure,
]
