import { runRulesCommand } from '../apps/soc/src/rules-as-code/run-command.ts'

/**
 * `npm run rules -- check|diff|push DIR`: detection rules kept as files. SOC_URL names the soc,
 * SOC_API_KEY a key with detections:read and, to push, detections:write.
 */
process.exitCode = await runRulesCommand(process.argv.slice(2), {
  url: process.env.SOC_URL ?? 'http://127.0.0.1:8000',
  key: process.env.SOC_API_KEY,
  now: Date.now,
  say: (line) => void process.stdout.write(`${line}\n`),
})
