export type ModelMessage =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string; calls: ModelCall[] }
  | { role: 'tool'; callId: string; content: string }

/** The arguments as the model wrote them: JSON, or what it took for JSON. */
export type ModelCall = { id: string; name: string; arguments: string }

type ModelTool = { name: string; description: string; parameters: Record<string, unknown> }

export type ModelPart =
  | { kind: 'text'; text: string }
  | ({ kind: 'call' } & ModelCall)
  | { kind: 'usage'; tokens: number }

/** Any model behind an OpenAI-compatible address. It words and asks; it decides nothing. */
export type LanguageModel = {
  readonly name: string
  /**
   * Text as it comes, then the calls of this turn. Throws an AppError 503 that says why when the
   * model cannot be reached, refuses, or breaks off; what came before stays valid.
   */
  stream(request: {
    messages: ModelMessage[]
    tools: ModelTool[]
    signal: AbortSignal
  }): AsyncIterable<ModelPart>
}
