import type { ToolEnvelope } from '@manara/soc-contract/tools'

/** Calls a reading tool for the one who asks, and shows that it did. */
export type Ask = (tool: string, input: Record<string, unknown>) => Promise<ToolEnvelope>
