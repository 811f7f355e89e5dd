export const text = (description: string) => ({ type: 'string', description })

export const inJson = (description: string, content: { schema: object; example: object }) => ({
  description,
  content: { 'application/json': content },
})
