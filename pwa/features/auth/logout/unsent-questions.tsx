import { useState } from 'react'
import type { UnsentQuestion } from '#pwa/sync/questions/shapes.ts'
import { Button } from '#pwa/ui/button.tsx'
import { plural } from '#shared/rules/plural.ts'
import type { LeftQuestions } from './use-logout.ts'

/** Each question that a logout would delete, to send or delete first. */
export function UnsentQuestions({ unsent, queue }: LeftQuestions) {
  const [left, setLeft] = useState(unsent)
  const [busy, setBusy] = useState<string | null>(null)
  const run = async (id: string, work: () => Promise<unknown>) => {
    setBusy(id)
    try {
      await work()
    } catch (error) {
      reportError(error)
    }
    setLeft(await queue.readUnsent())
    setBusy(null)
  }
  if (left.length === 0) return <p role="status">Nothing’s left to send. You can log out now.</p>
  return (
    <>
      <p>Send or delete each one. Logging out deletes whatever’s left in this list.</p>
      <ul className="stack">
        {left.map((one) => (
          <li key={one.id} className="row row--between">
            <span>
              <span>{nameOf(one)}</span>
              <span className="small muted"> {stateText(one)}</span>
            </span>
            <span className="row">
              {one.state !== 'refused' && (
                <Button
                  look="line"
                  isSmall
                  isBusy={busy === one.id}
                  onClick={() =>
                    run(one.id, () =>
                      (one.kind === 'draft' ? queue.ask(one.id) : Promise.resolve()).then(queue.syncNow),
                    )
                  }
                >
                  Send
                </Button>
              )}
              <Button
                look="line"
                isSmall
                onClick={() =>
                  run(one.id, () => (one.kind === 'draft' ? queue.discardDraft(one.id) : queue.discard(one.id)))
                }
              >
                Delete
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

function nameOf({ kind, name, photos, hasVoice }: UnsentQuestion): string {
  const files = [...(photos > 0 ? [plural(photos, 'photo')] : []), ...(hasVoice ? ['voice note'] : [])].join(' and ')
  const words = name === '' ? '' : `“${name}”`
  if (kind === 'withdrawal') return words === '' ? 'Withdrawing a question' : `Withdrawing ${words}`
  if (kind === 'files') return words === '' ? files : `${files} for ${words}`
  return [words, files].filter((part) => part !== '').join(', ')
}

function stateText({ state }: UnsentQuestion): string {
  if (state === 'draft') return 'Not sent: you were still writing it.'
  return state === 'refused' ? 'We couldn’t accept it.' : 'Waiting to send.'
}
