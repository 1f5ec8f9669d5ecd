import * as v from 'valibot'
import type { FieldErrors } from './field-errors.ts'

/** One sentence for each field that a schema refuses. */
export function firstSentences(issues: readonly v.BaseIssue<unknown>[]): FieldErrors {
  const found: FieldErrors = {}
  for (const issue of issues) found[v.getDotPath(issue) ?? ''] ??= issue.message
  return found
}
