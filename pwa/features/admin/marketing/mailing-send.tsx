import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ConfirmDialog } from '#pwa/features/admin/kit/forms/confirm-dialog.tsx'
import { WhenField } from '#pwa/features/admin/kit/forms/published-form.tsx'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { DateTimeField } from '#pwa/ui/date-field.tsx'
import { type AudienceCount, Mailing } from '#shared/contract/mailing.ts'
import { formatMoment, momentTyped, readTypedMoment } from '#shared/rules/london.ts'
import { plural } from '#shared/rules/plural.ts'
import { countText, notCountedText } from './mailing-form.tsx'
import { audienceCountQuery } from './queries.ts'

type Props = { mailing: Mailing; onClose: () => void }

/** `at`: null while it isn't a time. */
function problemOf(at: string | null): string | undefined {
  if (at === null) return 'Choose the day and time.'
  return Date.parse(at) > Date.now() ? undefined : 'That time has passed. Choose a later one.'
}

const doneTitle = { draft: 'It’s a draft again', scheduled: 'Campaign scheduled' } as Partial<
  Record<Mailing['status'], string>
>

/** Now it goes to the number the owner confirmed: if that has changed since, the server sends no emails. Later it's counted then. */
export function SendDialog({ mailing, onClose }: Props) {
  const { id, segment, purpose, version, perMinute, sendAt } = mailing
  const { data, error } = useQuery(audienceCountQuery({ segment, purpose }))
  const [when, setWhen] = useState(sendAt === null ? 'now' : 'time')
  const [typed, setTyped] = useState(() => (sendAt === null ? '' : momentTyped(sendAt)))
  const [problem, setProblem] = useState<string>()
  const gets = data?.gets ?? 0
  const at = readTypedMoment(typed)
  const calls = api.api.admin.mailings({ id })
  const action = useAdminAction({
    schema: Mailing,
    send: () => {
      if (when === 'draft') return calls.unschedule.post({})
      return when === 'time' ? calls.schedule.post({ version, sendAt: at ?? '' }) : calls.send.post({ version, gets })
    },
    failure: 'We couldn’t send the campaign.',
    done: ({ status, sendAt: later }) => ({
      title: doneTitle[status] ?? 'Campaign on its way',
      ...(later !== null && { description: formatMoment(later) }),
    }),
    onDone: onClose,
  })
  const confirm = () => {
    const wrong = when === 'time' ? problemOf(at) : undefined
    setProblem(wrong)
    if (wrong === undefined) action.mutate()
  }
  const { title, button, says } = wordsOf(when, { at, perMinute, data, error })
  return (
    <ConfirmDialog
      title={title}
      button={button}
      busy="Saving…"
      look="ink"
      keep="Not yet"
      action={action}
      onClose={onClose}
      onConfirm={confirm}
    >
      <div className="fields">
        <WhenField label="Send it" value={when} onChange={({ target }) => setWhen(target.value)} />
        {when === 'time' && (
          <DateTimeField label="Goes out on (UK time)" required value={typed} error={problem} onChange={setTyped} />
        )}
        <p>{says}</p>
      </div>
    </ConfirmDialog>
  )
}

type Known = { at: string | null; perMinute: number; data: AudienceCount | undefined; error: Error | null }

function wordsOf(
  when: string,
  { at, perMinute, data, error }: Known,
): Record<'title' | 'says', string> & { button: string | null } {
  const gets = data?.gets ?? 0
  if (when === 'draft') {
    const says = 'Only owners see it until you send it.'
    return { title: 'Keep it as a draft?', button: 'Keep it as a draft', says }
  }
  if (when === 'time') {
    const now = data ? `${plural(gets, 'person', 'people')} would get it now. ` : ''
    const says = `${now}We’ll count again when it goes. You can change the time or cancel it until then.`
    return { title: 'Send it later?', button: at === null ? 'Schedule' : `Schedule for ${formatMoment(at)}`, says }
  }
  if (gets === 0) {
    const says = data ? countText(data, savedAdvice) : notCountedText(error)
    return { title: data ? 'No one to email yet' : 'Send now?', button: null, says }
  }
  const says = `It takes about ${plural(Math.ceil(gets / perMinute), 'minute')}. You can pause or stop it while it’s sending. Once an email’s gone, you can’t get it back.`
  return { title: `Email ${plural(gets, 'person', 'people')}?`, button: `Send ${plural(gets, 'email')}`, says }
}

export const savedAdvice = 'press Edit and pick “Their membership”'
