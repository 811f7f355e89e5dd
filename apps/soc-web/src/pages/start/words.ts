import { catalogue } from '../../words/catalogue.ts'

export const useWords = catalogue({
  en: {
    title: 'First hour',
    intro: 'From an empty service to the first alert. What is done shows by itself.',
    done: 'done',
    open: 'to do',
    source: 'Connect a source',
    sourceText: 'Copy a block into a sender; its line turns green at the first event.',
    sourceDone: { one: '{n} source sends events', other: '{n} sources send events' },
    sourceGo: 'Show the blocks',
    rules: 'Have rules watch',
    rulesText: 'Import Sigma rules, or write one from a search.',
    rulesDone: { one: '{n} rule watches', other: '{n} rules watch' },
    rulesGo: 'Import rules',
    alert: 'See the first alert',
    alertText:
      'It appears as soon as a rule finds something. To try: promote an event in the search.',
    alertDone: { one: '{n} alert is there', other: '{n} alerts are there' },
    alertGo: 'Open the queue',
    demo: 'Or look at an invented incident first',
    demoText:
      'Ransomware in a small office, on hosts under demo.invalid. The events pass your rules like any others and count in the numbers until you remove them. Playbooks about it are rehearsed only; the audit log keeps that it was here.',
    demoState: {
      loading: 'Being loaded: {step}',
      loaded: '{events} events and {alerts} alerts of the demonstration are here',
      removing: 'Being removed: {step}',
    },
    load: 'Load the demonstration',
    remove: 'Remove it',
    cancel: 'Cancel and remove',
    look: 'Look at its alerts',
    onlyAdmin: 'An admin can load and remove it.',
    dismiss: 'Do not show this on the overview',
    dismissed: 'It stays in the commands: First hour',
  },
})
