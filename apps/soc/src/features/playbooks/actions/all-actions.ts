import type { Actions } from './action.ts'
import { addComment } from './add-comment.ts'
import { addObservable } from './add-observable.ts'
import { addTask } from './add-task.ts'
import { blockIndicator } from './block-indicator.ts'
import { createCase } from './create-case.ts'
import { deleteCase } from './delete-case.ts'
import { edrAction } from './edr-action.ts'
import { enrichIndicator } from './enrich-indicator.ts'
import type { ActionFunctions } from './functions.ts'
import { generateReport } from './generate-report.ts'
import { httpWebhook } from './http-webhook.ts'
import { removeObservable } from './remove-observable.ts'
import { requestApproval } from './request-approval.ts'
import { searchLogs } from './search-logs.ts'
import { sendEmail } from './send-email.ts'
import { unblockIndicator } from './unblock-indicator.ts'
import { updateCase } from './update-case.ts'
import { updateTask } from './update-task.ts'
import { wait } from './wait.ts'

/** Every action a step may name; a new one is a file in actions/ and a line here. */
export const createActions = (functions: ActionFunctions, now: () => Date): Actions => ({
  create_case: createCase(functions),
  update_case: updateCase(functions),
  delete_case: deleteCase(functions),
  add_comment: addComment(functions),
  add_task: addTask(functions),
  update_task: updateTask(functions),
  add_observable: addObservable(functions),
  remove_observable: removeObservable(functions),
  enrich_indicator: enrichIndicator(functions, now),
  search_logs: searchLogs(functions, now),
  http_webhook: httpWebhook(functions),
  send_email: sendEmail(functions),
  edr_isolate: edrAction('isolate', functions, now),
  edr_unisolate: edrAction('unisolate', functions, now),
  edr_scan: edrAction('scan', functions, now),
  block_indicator: blockIndicator(functions),
  unblock_indicator: unblockIndicator(functions),
  request_approval: requestApproval(functions),
  generate_report: generateReport(functions),
  wait: wait(now),
})
