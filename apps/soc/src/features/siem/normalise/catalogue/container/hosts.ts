import { accounts } from '../linux/accounts.ts'
import { cron } from '../linux/cron.ts'
import { dpkg } from '../linux/dpkg.ts'
import { systemd } from '../linux/systemd.ts'
import type { LogFormat } from '../log-format.ts'
import { vmware } from '../virtual/vmware.ts'
import { dockerDaemon, dockerEvent } from './docker.ts'
import { klog } from './klog.ts'
import { kubernetesAudit } from './kubernetes-audit.ts'

/** What runs machines, virtual ones and containers, and the programs that every Linux has. */
export const HOSTS: readonly LogFormat[] = [
  kubernetesAudit,
  klog,
  dockerDaemon,
  dockerEvent,
  vmware,
  systemd,
  cron,
  accounts,
  dpkg,
]
