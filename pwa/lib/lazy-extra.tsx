import { type ComponentType, lazy } from 'react'
import { loadFile } from './load-file.ts'
import { RequestError } from './request-error.ts'

/** A part that its page can do without. If its file doesn't come, nothing is in its place, and what's typed or ticked around it stays. */
export const lazyExtra = <Props,>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy(() => loadFile(load).catch(showNothing))

function showNothing(error: unknown): { default: () => null } {
  if (error instanceof RequestError) return { default: () => null }
  throw error
}
