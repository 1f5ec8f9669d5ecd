import type { PageHead } from '#shared/contract/page.ts'

type Tag = { title?: unknown; name?: string; content?: unknown }
type Match = { meta?: (Tag | undefined)[] }

/** Title and description of the page: the innermost route that gives them decides. */
export const headOf = (matches: readonly Match[]): PageHead => {
  const tags = matches.flatMap(({ meta = [] }) => meta)
  const title = tags.findLast((tag) => tag?.title !== undefined)?.title
  const description = tags.findLast((tag) => tag?.name === 'description')?.content
  return { title: String(title ?? ''), description: String(description ?? '') }
}
