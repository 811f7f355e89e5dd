import type { Actions } from './action.ts'
import { addComment } from './actions/add-comment.ts'
import { addObservable } from './actions/add-observable.ts'
import { addTask } from './actions/add-task.ts'
import { blockIndicator } from './actions/block-indicator.ts'
import { createCase } from './actions/create-case.ts'
import { deleteCase } from './actions/delete-case.ts'
import { edrAction } from './actions/edr-action.ts'
import { enrichIndicator } from './actions/enrich-indicator.ts'
import { generateReport } from './actions/generate-report.ts'
import { httpWebhook } from './actions/http-webhook.ts'
import { removeObservable } from './actions/remove-observable.ts'
import { requestApproval } from './actions/request-approval.ts'
import { searchLogs } from './actions/search-logs.ts'
import { sendEmail } from './actions/send-email.ts'
import { unblockIndicator } from './actions/unblock-indicator.ts'
import { updateCase } from './actions/update-case.ts'
import { updateTask } from './actions/update-task.ts'
import { wait } from './actions/wait.ts'
import type { ResponseFunctions } from './response-functions.ts'

/** Every action a step may name; a new one is a file in actions/ and a line here. */
export const createActions = (functions: ResponseFunctions, now: () => Date): Actions => ({
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
