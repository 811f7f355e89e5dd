import type { Http } from '@manara/kit/http'
import { rawBodyScope } from '@manara/kit/raw-body'
import {
  Backtest,
  BacktestRequest,
  Coverage,
  RuleImportFiles,
  RuleImportQuery,
  RuleImportResult,
  RulePreview,
  RulePreviewRequest,
} from '@manara/soc-contract/detection-content'
import { RuleParams } from '@manara/soc-contract/detections'
import type { Changes } from '../../core/change/operator-change.ts'
import { principalOf } from '../../core/identity/caller.ts'
import type { Reads } from '../../core/mode/read-through.ts'
import type { InTurn } from '../../http/in-turn.ts'
import { requires } from '../../http/permissions.ts'
import { type DraftRequest, draftFiles, isQuick } from './import/draft-files.ts'
import { importRules } from './import/import-rules.ts'
import { checked, mustHaveBody } from './import/rule-source.ts'
import { type BacktestDeps, runBacktest } from './preview/backtest.ts'
import { type PreviewDeps, previewRule } from './preview/preview-rule.ts'
import { type CoverageDeps, readCoverage } from './rules/coverage.ts'
import { exportRule } from './rules/export-rule.ts'
import { ruleById } from './rules/rules.store.ts'

export type ContentDeps = BacktestDeps &
  CoverageDeps &
  PreviewDeps & { filesInTurn: InTurn; previewsInTurn: InTurn; backtestsInTurn: InTurn } & Pick<
    Changes,
    'operatorChange'
  > &
  Reads

const tags = ['detections']
const MOST_IMPORT_BYTES = 32 * 1024 * 1024
const PREVIEW_MS = 20_000
const BACKTEST_MS = 10 * 60_000

export function contentRoutes(http: Http, deps: ContentDeps) {
  const { db, readThrough } = deps
  importRoute(http, deps)

  http.get(
    '/detections/rules/:rule_id/sigma',
    {
      ...requires('detections:read'),
      schema: {
        tags,
        summary: 'A rule as Sigma YAML; 409 with the reason when Sigma cannot say it',
        params: RuleParams,
      },
    },
    async (request, reply) => {
      const { rule_id } = request.params
      const rule = await readThrough(() => ruleById(db, rule_id, principalOf(request)))
      return reply.type('application/yaml; charset=utf-8').send(exportRule(rule, deps.now()))
    },
  )

  http.post(
    '/detections/rules/preview',
    {
      ...requires('detections:read', 'siem:search'),
      schema: {
        tags,
        summary: 'Try a rule on past days before it is saved',
        description:
          'The body of a new rule, and `days`. Nothing is stored or raised, and suppressions are not asked. What was not read within 20 seconds is said in `partial`.',
        body: RulePreviewRequest,
        response: { 200: RulePreview },
      },
    },
    (request, reply) =>
      deps.previewsInTurn(reply, (signal) =>
        readThrough(() =>
          previewRule(deps, request.body, principalOf(request), {
            signal,
            timeLimitMs: PREVIEW_MS,
          }),
        ),
      ),
  )

  http.post(
    '/detections/backtest',
    {
      ...requires('detections:read', 'siem:search'),
      schema: {
        tags,
        summary: 'Many rules over stored events in one pass',
        description:
          'The rules by `rule_ids`, by `tag` or `all` of them, on or off, over the events of `from` to `to` (the end is not included). Matches are counted as they are: suppressions are not asked and no alert is raised. `log_ids` come with `include_ids`, oldest first, at most 10,000 of a rule and 200,000 of all. `skip` and `limit` choose a page of the rules.',
        body: BacktestRequest,
        response: { 200: Backtest },
      },
    },
    (request, reply) =>
      deps.backtestsInTurn(reply, (signal) =>
        readThrough(() =>
          runBacktest(deps, request.body, principalOf(request), {
            signal,
            timeLimitMs: BACKTEST_MS,
          }),
        ),
      ),
  )

  http.get(
    '/detections/coverage',
    {
      ...requires('detections:read'),
      schema: {
        tags,
        summary: 'ATT&CK techniques with their rules and the alerts of 30 days',
        response: { 200: Coverage },
      },
    },
    (request) => readThrough(() => readCoverage(deps, principalOf(request))),
  )
}

/** In a scope of its own: a body of any type, as bytes, as large as an archive. */
function importRoute(http: Http, deps: ContentDeps) {
  rawBodyScope(http, { mostBytes: MOST_IMPORT_BYTES }, (scope) => {
    scope.post(
      '/detections/rules/import',
      {
        ...requires('detections:write'),
        bodyLimit: MOST_IMPORT_BYTES,
        // The body is bytes until it is known what they are: the schemas are for the document.
        validatorCompiler: () => (value) => ({ value }),
        schema: {
          tags,
          summary: 'Import Sigma rules, or rules in our own words',
          description:
            'A YAML text, JSON `{files:[{name, content}]}`, or a zip, tar or tar.gz of YAML files, at most 32 MB. A rule that is there (by its id) is updated; what cannot be imported is in `skipped` with the reason. With `plan`, the version of each rule by its id (null for one that is new), these rules alone are imported, together with the settings their files state; 409 and nothing is imported when one is at another version, 400 when a file cannot be imported.',
          querystring: RuleImportQuery,
          body: RuleImportFiles,
          response: { 200: RuleImportResult },
        },
      },
      async (request, reply) => {
        const { enable } = checked(RuleImportQuery, request.query, 'query')
        const asked: DraftRequest = {
          body: mustHaveBody(request.body),
          isJson: /^application\/json\b/i.test(request.headers['content-type'] ?? ''),
          enable: enable !== 'false',
          now: deps.now(),
        }
        const { plan, ...read } = isQuick(asked)
          ? await draftFiles(asked)
          : await deps.filesInTurn(reply, (signal) => draftFiles(asked, signal))
        return deps.operatorChange(request, reply, 200, (change) =>
          importRules(deps, change, read, { setEnabled: enable !== undefined, plan }),
        )
      },
    )
  })
}
