import type { Context } from '#api/context.ts'
import { forgetKeptAnswers } from '#api/http/kept.ts'
import type { AllContent } from '#shared/contract/site-content.ts'
import { contentVersion, readContent } from './content.ts'

/** The content as it stands. `version` changes when owners have edited a file. */
export type ContentStore = { version: () => number; read: () => AllContent }

type Options = {
  folder?: string
  /** How long a look at the files is good for, ms. */
  everyMs?: number
}

const opened = new WeakMap<Context, ContentStore>()

/** The one reading of the content for everybody who has this context, made when it is first asked for. */
export function contentOf(ctx: Context, options?: Options): ContentStore {
  const store = opened.get(ctx) ?? openContent(ctx, options)
  opened.set(ctx, store)
  return store
}

/**
 * Reads everything at once, and again when a file has changed. Throws a ContentError when there is nothing right to begin
 * with; later a wrong file is logged, and what was read last keeps serving.
 */
export function openContent(ctx: Context, { folder, everyMs = 1_000 }: Options = {}): ContentStore {
  const { settings, log } = ctx
  const { publicUrl: url, links, measuring, isLive } = settings
  const facts = { url, links, measuring, isLive }
  let seen = contentVersion(folder)
  let content = readContent(facts, folder)
  let version = 1
  let lookedAt = performance.now()

  const look = () => {
    if (performance.now() - lookedAt < everyMs) return
    lookedAt = performance.now()
    const now = contentVersion(folder)
    if (now === seen) return
    seen = now
    try {
      content = readContent(facts, folder)
      version += 1
      forgetKeptAnswers(ctx)
    } catch (error) {
      log.error('content was not taken over', { reason: error instanceof Error ? error.message : String(error) })
    }
  }

  return {
    version: () => {
      look()
      return version
    },
    read: () => {
      look()
      return content
    },
  }
}
