import { useRef, useState } from 'react'
import { useKeptFocus } from '#pwa/lib/use-kept-focus.ts'
import type { UnsentQuestion } from '#pwa/sync/questions/shapes.ts'
import { Button } from '#pwa/ui/button.tsx'
import { Icon } from '#pwa/ui/icon.tsx'
import { formatLongDate } from '#shared/rules/london.ts'
import { plural } from '#shared/rules/plural.ts'
import type { LeftQuestions } from './use-logout.ts'
import './unsent-questions.css'

type Props = LeftQuestions & { onChange: (unsent: UnsentQuestion[]) => void }

/** Each question that a logout would delete, to send or delete first. */
export function UnsentQuestions({ unsent, queue, onChange }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const [busy, setBusy] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useKeptFocus(box, unsent.length)
  /** `work` says why it's still here. */
  const run = async (id: string, work: () => Promise<string | null>) => {
    setBusy(id)
    setProblem(null)
    try {
      setProblem(await work())
    } catch (error) {
      reportError(error)
      setProblem('That didn’t work. Try again.')
    }
    setBusy(null)
    onChange(await queue.readUnsent())
  }
  const send = async ({ id, kind }: UnsentQuestion) => {
    const asked = kind === 'draft' ? await queue.ask(id) : null
    if (asked?.kind === 'invalid') return asked.message
    await queue.syncNow()
    const sentId = asked?.kind === 'kept' ? asked.id : id
    const left = (await queue.readUnsent()).find((one) => one.id === sentId)
    return left ? whyLeft(left) : null
  }
  const discard = async ({ id, kind }: UnsentQuestion) => {
    await (kind === 'draft' ? queue.discardDraft(id) : queue.discard(id))
    return null
  }
  return (
    <div ref={box}>
      {unsent.length === 0 ? (
        <p role="status" tabIndex={-1} data-next>
          Nothing’s left to send. You can log out now.
        </p>
      ) : (
        <p>
          Send or delete each one. Logging out deletes whatever’s left in this list.
          {unsent.some(({ kind }) => kind === 'withdrawal') &&
            ' If you log out now, your coach keeps what you withdrew.'}
        </p>
      )}
      {problem && (
        <p className="field__err" role="alert">
          <Icon name="cross" />
          {problem}
        </p>
      )}
      <ul className="plain unsent">
        {unsent.map((one, index) => (
          <li key={one.id}>
            <p>
              {nameOf(one)} <span className="second">{stateText(one)}</span>
            </p>
            <div className="unsent__acts">
              {one.state !== 'refused' && one.from === null && (
                <Button
                  look="line"
                  isSmall
                  isBusy={busy === one.id}
                  aria-label={actOn('Send', one)}
                  data-next={index === 0 || undefined}
                  onClick={() => void run(one.id, () => send(one))}
                >
                  Send
                </Button>
              )}
              <Button
                look="line"
                isSmall
                aria-label={actOn(one.kind === 'withdrawal' ? 'Keep the question' : 'Delete', one)}
                data-next={index === 0 || undefined}
                onClick={() => void run(one.id, () => discard(one))}
              >
                {one.kind === 'withdrawal' ? 'Keep the question' : 'Delete'}
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** A withdrawal's name is a sentence. */
const actOn = (act: string, one: UnsentQuestion) => `${act}${one.kind === 'withdrawal' ? ':' : ''} ${nameOf(one)}`

function nameOf({ kind, name, photos, hasVoice }: UnsentQuestion): string {
  const files = [...(photos > 0 ? [plural(photos, 'photo')] : []), ...(hasVoice ? ['a voice note'] : [])].join(' and ')
  const words = name === '' ? '' : `“${name}”`
  if (kind === 'withdrawal') return words === '' ? 'You withdrew a question.' : `You withdrew ${words}.`
  if (kind === 'files') return words === '' ? files : `${files} for ${words}`
  return [words, files].filter((part) => part !== '').join(', ')
}

function whyLeft({ from, state }: UnsentQuestion): string {
  if (from !== null) return `We’ll send it on ${formatLongDate(from)} if you stay logged in.`
  if (state === 'refused') return 'We couldn’t send it. Stay logged in to change it, or delete it.'
  return `It didn’t go. Try again ${navigator.onLine ? 'in a minute' : 'once you’ve got signal'}, or delete it.`
}

function stateText({ state, from }: UnsentQuestion): string {
  if (state === 'draft') return 'Not sent: you were still writing it.'
  if (state === 'refused') return 'We couldn’t send it.'
  return from === null ? 'Waiting to send.' : `Stay logged in and we’ll send it on ${formatLongDate(from)}.`
}
