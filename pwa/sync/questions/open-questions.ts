import { showBadge } from '#pwa/lib/badge.ts'
import { watchDatabase } from '#pwa/sync/database.ts'
import type { Engine } from '#pwa/sync/progress/engine.ts'
import { readRoom } from '#pwa/sync/room.ts'
import { createQuestions, type Questions } from './engine.ts'

const opened = new WeakMap<Engine, Questions>()

/** This tab's questions of the member whose engine it is. The first call starts them, and they end with the engine. */
export function openQuestions(engine: Engine): Questions {
  const known = opened.get(engine)
  if (known) return known
  const questions = createQuestions({ engine, room: readRoom })
  opened.set(engine, questions)
  if (engine.signal.aborted) return questions
  questions.start()
  if (!engine.isReadOnly) engine.signal.addEventListener('abort', keepBadge(engine))
  return questions
}

/** The icon's number follows what's read here. The worker only ever sets it. */
const keepBadge = ({ store: { dexie, questions }, platform }: Engine) =>
  watchDatabase(dexie, () => questions.where('isUnread').equals(1).count(), {
    changed: showBadge,
    failed: platform.report,
  })
