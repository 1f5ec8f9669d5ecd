import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ConfirmDialog } from '#pwa/features/admin/kit/forms/confirm-dialog.tsx'
import { PlaceLink } from '#pwa/features/admin/kit/part.tsx'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { TextField } from '#pwa/ui/field.tsx'
import { type ImportLetters, ImportLettersSent } from '#shared/contract/imports.ts'
import { payingAdvice } from '#shared/rules/imports.ts'
import { plural } from '#shared/rules/plural.ts'
import { lettersQuery } from './queries.ts'

const firstBatch = 50

type Batch = { count: number; isAgain: boolean }

const emailTo = ({ count, isAgain }: Batch) => `Email ${plural(count, 'person', 'people')}${isAgain ? ' again' : ''}`

/** Of what was typed, as many as there are. */
const batchOf = (typed: string, most: number) => Math.max(0, Math.min(Math.trunc(Number(typed)) || 0, most))

/** No one's emailed until an owner has read the letter and sent it, a batch at a time. */
export function Letters({ id }: { id: string }) {
  const { data } = useQuery(lettersQuery(id))
  const [count, setCount] = useState(String(firstBatch))
  const [asked, setAsked] = useState<Batch | null>(null)
  if (data === undefined || data.people === 0) return null
  const next = { count: batchOf(count, data.unwritten), isAgain: false }
  const again = { count: data.due, isAgain: true }
  const warning = lockedOut(data)
  return (
    <section className="movein__letters" aria-label="Letters">
      <h4>Tell them how to log in</h4>
      <p>{standing(data)}</p>
      {warning !== null && <Banner icon="warn" title={warning} />}
      <Letter {...data} />
      <div className="movein__acts">
        {data.unwritten > 0 && (
          <>
            <TextField
              label="How many now"
              inputMode="numeric"
              value={count}
              onChange={({ target }) => setCount(target.value)}
            />
            <Button aria-haspopup="dialog" disabled={next.count < 1} onClick={() => setAsked(next)}>
              {next.count < 1 ? 'Email them' : emailTo(next)}
            </Button>
          </>
        )}
        {data.due > 0 && (
          <Button look="line" aria-haspopup="dialog" onClick={() => setAsked(again)}>
            {emailTo(again)}
          </Button>
        )}
      </div>
      {asked !== null && <SendDialog id={id} asked={asked} warning={warning} onClose={() => setAsked(null)} />}
    </section>
  )
}

const Letter = ({ subject, text }: Pick<ImportLetters, 'subject' | 'text'>) => (
  <details className="numbers">
    <summary>Read the email</summary>
    <p>
      <b>{subject}</b>
    </p>
    <p className="movein__text">{text}</p>
    <p>
      <PlaceLink place="words" search={{ page: 'mails', part: 'moved-in' }}>
        Change the words
      </PlaceLink>
    </p>
  </details>
)

type SendProps = { id: string; asked: Batch; warning: string | null; onClose: () => void }

function SendDialog({ id, asked, warning, onClose }: SendProps) {
  const action = useAdminAction({
    schema: ImportLettersSent,
    send: (body: Batch) => api.api.admin.imports({ id }).letters.post(body),
    failure: 'We couldn’t send them.',
    done: ({ sent }) => ({ title: `${plural(sent, 'email')} on the way` }),
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={`${emailTo(asked)}?`}
      button={emailTo(asked)}
      busy="Sending…"
      keep="Not yet"
      look="ink"
      action={action}
      onConfirm={() => action.mutate(asked)}
      onClose={onClose}
    >
      <p>{warning ?? (asked.count === 1 ? 'It goes out straight away.' : 'They go out straight away.')}</p>
    </ConfirmDialog>
  )
}

/** They'd log in and only be asked to join. */
const lockedOut = ({ withoutAccess }: ImportLetters): string | null =>
  withoutAccess === 0
    ? null
    : `${withoutAccess.toLocaleString('en-GB')} of the people you moved in have no access yet. They’ll log in and be asked to join and pay. ${payingAdvice}`

function standing({ people, written, arrived, bounced, due }: ImportLetters): string {
  const parts = [
    `You’ve emailed ${written} of ${plural(people, 'person', 'people')}.`,
    `${arrived} logged in so far.`,
    ...(bounced > 0 ? [`${bounced} bounced.`] : []),
    ...(due > 0 ? [`After a week, ${due} still haven’t logged in.`] : []),
  ]
  return parts.join(' ')
}
