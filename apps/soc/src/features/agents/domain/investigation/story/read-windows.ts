import { numberOf, ownerOfPath, personOf, programOf } from '../evidence/names.ts'
import { isHub } from '../evidence/programs.ts'
import { inMessage, type Seen } from '../evidence/seen.ts'
import { isOutgoing, targetPort } from '../indicators/indicator.ts'
import type { Actor } from './actor.ts'
import { adopt, type Graph } from './graph.ts'

/** Processes and their parents first: other events may name one by its number alone. */
export function readWindows(graph: Graph, events: Seen[]) {
  const later: Seen[] = []
  for (const event of events) {
    const isStart = event.kind === 'security' && event.code === 4688
    if (event.kind === 'sysmon') note(graph, event, readSysmon(graph, event))
    else if (isStart) note(graph, event, read4688(graph, event))
    else later.push(event)
  }
  const shells = busiestShells(graph)
  for (const event of later) {
    const actor =
      event.kind === 'powershell' ? readPowerShell(graph, event, shells) : readOther(graph, event)
    note(graph, event, actor)
  }
}

function note(graph: Graph, event: Seen, actor: Actor | undefined) {
  readArrival(graph, event)
  if (!actor) return
  graph.actorOf.set(event, actor)
  actor.deeds += 1
  // Whose profile it writes to.
  actor.user ||= ownerOfPath(event.text('TargetFilename'))
  readDeparture(graph, event, actor)
  tellOnce(event, actor)
}

function readSysmon(graph: Graph, event: Seen): Actor | undefined {
  const { host, at, code } = event
  if (code >= 19 && code <= 21) {
    const subscription = graph.other('subscription', event, 'wmi-subscription')
    subscription.user ||= personOf(event.text('User'))
    return subscription
  }
  const image = event.text('Image') || event.text('SourceImage')
  // Sysmon's word for a process that was gone before it could look.
  if (image === '' || image.includes('unknown process')) return undefined
  const said = event.text('SourceProcessId') || event.text('ProcessId')
  // Some forwarders drop the number, but not the text that has it.
  const pid = numberOf(said || inMessage(event.text('Message'), 'ProcessId'))
  const guid = event.text('ProcessGuid') || event.text('SourceProcessGUID')
  const actor =
    code === 1
      ? graph.processes.started(host, pid, image, at, guid)
      : graph.processes.at(host, pid, image, at, guid)
  actor.user = personOf(event.text('User') || event.text('SourceUser')) || actor.user
  if (code === 1) readStart(graph, event, actor)
  if (code === 5) actor.endedAt = at
  if (code === 8 || code === 10) readTouch(graph, event, actor)
  return actor
}

function readStart(graph: Graph, event: Seen, actor: Actor) {
  actor.command = event.text('CommandLine') || actor.command
  const image = event.text('ParentImage')
  const pid = numberOf(event.text('ParentProcessId'))
  if (image === '' || image === '-') return
  const parent = graph.processes.at(
    event.host,
    pid,
    image,
    event.at,
    event.text('ParentProcessGuid'),
  )
  adopt(parent, actor)
  parent.command ||= event.text('ParentCommandLine')
  parent.user ||= personOf(event.text('ParentUser'))
}

function readTouch(graph: Graph, event: Seen, actor: Actor) {
  const image = event.text('TargetImage')
  if (image === '') return
  const guid = event.text('TargetProcessGuid') || event.text('TargetProcessGUID')
  const pid = numberOf(event.text('TargetProcessId'))
  const target = graph.processes.at(event.host, pid, image, event.at, guid)
  if (event.code !== 8 || target === actor) return
  actor.injected.add(target)
  if (!isHub(actor.name) && actor.name !== target.name) target.isInjected = true
}

function read4688(graph: Graph, event: Seen): Actor | undefined {
  const { host, at } = event
  const image = event.text('NewProcessName')
  if (image === '') return undefined
  const actor = graph.processes.started(host, numberOf(event.text('NewProcessId')), image, at)
  actor.command ||= event.text('CommandLine')
  const subject = personOf(event.text('SubjectUserName'))
  actor.user ||= personOf(event.text('TargetUserName')) || subject
  const parentPid = numberOf(event.text('ProcessId'))
  const parentImage = event.text('ParentProcessName')
  const parent =
    parentImage === ''
      ? graph.processes.byPid(host, parentPid, at)
      : graph.processes.at(host, parentPid, parentImage, at)
  if (parent) {
    adopt(parent, actor)
    parent.user ||= subject
  }
  return actor
}

const USER_IN_CONTEXT = /\bUser(?:Id)?\s?=\s?(\S{1,100})/

function readPowerShell(graph: Graph, event: Seen, shells: Map<string, Actor>): Actor {
  const { host, at } = event
  const pid = numberOf(event.text('ExecutionProcessID') || event.text('ProcessID'))
  const actor =
    graph.processes.byPid(host, pid, at) ??
    shells.get(host) ??
    graph.processes.at(host, pid, 'powershell.exe', at)
  const context = `${event.text('ContextInfo')}\n${event.text('Message')}`
  actor.user ||= personOf(USER_IN_CONTEXT.exec(context)?.[1])
  return actor
}

/** Classic PowerShell events name no process: most often there is one it can be. */
function busiestShells(graph: Graph): Map<string, Actor> {
  const shells = new Map<string, Actor>()
  for (const one of graph.processes.all) {
    const isShell = one.name.startsWith('powershell') && one.deeds > 0
    const busiest = shells.get(one.host)
    if (isShell && one.deeds > (busiest?.deeds ?? 0)) shells.set(one.host, one)
  }
  return shells
}

function readOther(graph: Graph, event: Seen): Actor | undefined {
  const { host, at, code } = event
  const image =
    event.text('ProcessName') || event.text('Application') || event.text('CallerProcessName')
  const said = event.text('ProcessId') || event.text('ProcessID') || event.text('CallerProcessId')
  const subject = personOf(event.text('SubjectUserName'))
  if (image !== '' && image !== '-') {
    const actor = graph.processes.at(host, numberOf(said), image, at)
    actor.user ||= subject
    if (code === 4689) actor.endedAt = at
    return actor
  }
  if (event.text('Provider_Name').toLowerCase().startsWith('ad fs')) {
    return graph.processes.all.find(
      (one) => one.host === host && one.name === 'microsoft.identityserver.servicehost.exe',
    )
  }
  const client = event.text('ClientProcessId')
  return client === '' ? undefined : graph.processes.byPid(host, numberOf(client), at)
}

const NO_ADDRESS = /^(-|::1|0:0:0:0:0:0:0:1|127\.|0\.0\.0\.0|::$|fe80:)/

/** Who came in from elsewhere, and who was turned away. */
function readArrival(graph: Graph, event: Seen) {
  if (event.kind !== 'security') return
  if (event.code === 4624) {
    const from = event.text('IpAddress').replace('::ffff:', '')
    const user = personOf(event.text('TargetUserName'))
    const isRemote = ['3', '10'].includes(event.text('LogonType'))
    if (!isRemote || user === '' || from === '' || NO_ADDRESS.test(from)) return
    graph.sessions.push({ host: event.host, user, from, event })
  }
  if (event.code === 5157 && !isOutgoing(event)) {
    const from = event.text('SourceAddress')
    graph.refusals.push({ from, host: event.host, port: targetPort(event), event })
  }
}

/** Ports behind which orders are taken; dynamic RPC lies above 49152. */
const ADMINISTRATION = new Set(['135', '139', '445', '3389', '5985', '5986'])
const takesRpc = (port: string) => ADMINISTRATION.has(port) || Number(port) >= 49_152

function readDeparture(graph: Graph, event: Seen, actor: Actor) {
  const isConnection =
    (event.kind === 'sysmon' && event.code === 3) ||
    (event.kind === 'security' && event.code === 5156)
  if (!isConnection || !isOutgoing(event)) return
  const from = event.text('SourceIp') || event.text('SourceAddress')
  if (!NO_ADDRESS.test(from)) graph.hostOfAddress.set(from, event.host)
  const to = event.text('DestinationIp') || event.text('DestAddress')
  const port = targetPort(event)
  if (takesRpc(port)) graph.connections.push({ actor, to, port, at: event.at, event })
}

const TOLD_OF_SYSMON = new Set([1, 5, 8, 17, 19, 20, 21])
const TOLD_OF_WINDOWS = new Set([4688, 4689, 4648, 4697, 7045, 4698])

const SAME_AS: Record<number, number> = { 4688: 1, 4689: 5 }

/** Both logs tell of a start and of an end: one of them is enough to read. */
function tellOnce(event: Seen, actor: Actor) {
  const { kind, code } = event
  if (!(kind === 'sysmon' ? TOLD_OF_SYSMON : TOLD_OF_WINDOWS).has(code)) return
  const meaning = SAME_AS[code] ?? code
  const isOnce = meaning === 1 || meaning === 5
  const isSame = (one: Seen) => (SAME_AS[one.code] ?? one.code) === meaning
  if (!isOnce || !actor.told.some(isSame)) actor.told.push(event)
}

/** Links what was written to what ran from there afterwards. */
export function linkWritten(graph: Graph, events: Seen[]) {
  const writers = new Map<string, { actor: Actor; at: number }>()
  for (const event of events) {
    const isWrite = event.kind === 'sysmon' && [11, 29].includes(event.code)
    const actor = isWrite ? graph.actorOf.get(event) : undefined
    const file = event.text('TargetFilename').toLowerCase()
    if (actor && file !== '' && !isHub(actor.name)) {
      writers.set(`${event.host}|${file}`, { actor, at: event.at })
    }
  }
  if (writers.size === 0) return
  for (const one of graph.processes.all) {
    if (one.startedAt === undefined) continue
    const wrote = writers.get(`${one.host}|${one.image.toLowerCase()}`)
    const isAfter = wrote !== undefined && wrote.at <= one.startedAt + 1_000
    if (isAfter && wrote.actor !== one && programOf(one.image) !== '') wrote.actor.ran.add(one)
  }
}
