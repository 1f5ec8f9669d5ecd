import type { BlogPostSummary } from '#shared/contract/blog.ts'

/** A post without a date of publishing has that of its making. */
export const publishedOn = ({ publishedAt, createdAt }: Pick<BlogPostSummary, 'publishedAt' | 'createdAt'>) =>
  publishedAt ?? createdAt
