import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAdminAction } from '#pwa/features/admin/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { TextField } from '#pwa/ui/field.tsx'
import { type ImportLetters, ImportLettersSent } from '#shared/contract/imports.ts'
import { plural } from '#shared/rules/plural.ts'
import { lettersQuery } from './queries.ts'

const firstBatch = 50

/** No one's emailed until an owner has read the letter and sent it, a batch at a time. */
export function Letters({ id }: { id: string }) {
  const { data } = useQuery(lettersQuery(id))
  const [count, setCount] = useState(String(firstBatch))
  const action = useAdminAction({
    schema: ImportLettersSent,
    send: (body: { count: number; isAgain: boolean }) => api.api.admin.imports({ id }).letters.post(body),
    failure: 'We couldn’t send them.',
    done: ({ sent }) => ({ title: `${plural(sent, 'letter')} on the way` }),
  })
  if (data === undefined || data.people === 0) return null
  const wanted = Math.min(Number(count) || 0, data.unwritten)
  return (
    <section className="movein__letters" aria-label="Letters">
      <h4>Tell them how to log in</h4>
      <p>{standing(data)}</p>
      <details className="numbers">
        <summary>Read the letter</summary>
        <p>
          <b>{data.subject}</b>
        </p>
        <p className="movein__text">{data.text}</p>
      </details>
      <div className="movein__acts">
        {data.unwritten > 0 && (
          <>
            <TextField
              label="How many now"
              inputMode="numeric"
              value={count}
              onChange={({ target }) => setCount(target.value)}
            />
            <Button
              isBusy={action.isPending}
              busyLabel="Sending…"
              disabled={wanted < 1}
              onClick={() => action.mutate({ count: wanted, isAgain: false })}
            >
              {`Email ${plural(wanted, 'person', 'people')}`}
            </Button>
          </>
        )}
        {data.due > 0 && (
          <Button
            look="line"
            isBusy={action.isPending}
            busyLabel="Sending…"
            onClick={() => action.mutate({ count: data.due, isAgain: true })}
          >
            {`Email ${data.due} again`}
          </Button>
        )}
      </div>
      {action.problem && <Banner tone="bad" role="alert" title={action.problem} />}
    </section>
  )
}

function standing({ people, written, arrived, bounced, due }: ImportLetters): string {
  const parts = [
    `${written} of ${plural(people, 'person', 'people')} written to.`,
    `${arrived} logged in so far.`,
    ...(bounced > 0 ? [`${bounced} bounced.`] : []),
    ...(due > 0 ? [`${due} haven’t logged in within a week.`] : []),
  ]
  return parts.join(' ')
}
