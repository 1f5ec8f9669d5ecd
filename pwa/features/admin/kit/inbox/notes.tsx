import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import * as v from 'valibot'
import { readOwnerDraft, removeOwnerDraft, saveOwnerDraft } from '#pwa/features/admin/kit/forms/draft-storage.ts'
import { adminKey } from '#pwa/features/admin/kit/queries.ts'
import { InvitedPrice } from '#pwa/features/admin/kit/tiers/invited-price.tsx'
import { useTiersOnSale } from '#pwa/features/admin/kit/tiers/use-tier-names.ts'
import { type ActionCall, useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { newKey } from '#pwa/lib/new-key.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { SelectField, TextAreaField } from '#pwa/ui/field.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { CanInvite, InboxNoteList, InvitationResponse } from '#shared/contract/inbox.ts'
import { TierSlug } from '#shared/contract/tier.ts'
import type { About } from './inbox-texts.ts'
import { NoteRows } from './note-rows.tsx'

const callsOf = ({ kind, id }: About) => api.api.admin.inbox({ kind })({ id })

export function Notes({ about, isNoteOpen = false }: { about: About; isNoteOpen?: boolean }) {
  const isOfMember = about.kind === 'members'
  const { data, error, refetch } = useQuery({
    queryKey: [adminKey, 'inbox-notes', about.id],
    queryFn: () => parseResponse(InboxNoteList, callsOf(about).notes.get()),
    staleTime: 0,
  })
  return (
    <section className="notes" aria-label="Notes and emails">
      {isOfMember ? <h2>Notes</h2> : <h3>Notes and emails</h3>}
      {data ? (
        <NoteRows about={about} notes={data} />
      ) : error ? (
        <Banner
          tone="bad"
          role="status"
          title={messageOf(error, 'We couldn’t load the notes.')}
          action={
            <Button look="line" isSmall icon="sync" onClick={() => refetch()}>
              Try again
            </Button>
          }
        />
      ) : (
        <Skeleton size="line" />
      )}
      <Way key={String(isNoteOpen)} title="Add a note" isOpen={isNoteOpen || hasDraft(about, 'note')}>
        <TextForm
          draft={draftOf(about, 'note')}
          label="Note, for owners only"
          button="Save the note"
          failure="We couldn’t save the note"
          done={{ title: 'Note saved' }}
          send={(text) => callsOf(about).notes.post({ text })}
        />
      </Way>
      <Way title={isOfMember ? 'Write an email' : 'Reply by email'} isOpen={hasDraft(about, 'reply')}>
        <TextForm
          draft={draftOf(about, 'reply')}
          label={`Email to ${about.email}`}
          button="Send the email"
          failure="We couldn’t send the email"
          done={{ title: 'Email on its way', description: about.email }}
          send={(text, wish) => callsOf(about).reply.post({ text, wish })}
        />
      </Way>
      {about.kind !== 'quotient-orders' && !isOfMember && <InvitationWay about={about} />}
    </section>
  )
}

const draftOf = ({ kind, id }: About, form: 'note' | 'reply') => `${form}:${kind}:${id}`
const hasDraft = (about: About, form: 'note' | 'reply') => readOwnerDraft(draftOf(about, form)) !== null

type WayProps = { title: string; isOpen?: boolean; children: ReactNode }

function Way({ title, isOpen = false, children }: WayProps) {
  const [wasOpen] = useState(isOpen)
  return (
    <details open={wasOpen || undefined}>
      <summary>{title}</summary>
      {children}
    </details>
  )
}

type FormProps = {
  /** The draft’s name on this device. */
  draft: string
  label: string
  button: string
  failure: string
  done: { title: string; description?: string }
  /** `wish`: the idempotency key. It’s the same for a retry of the same text. */
  send: (text: string, wish: string) => ActionCall
}

/** Keeps the draft until it’s sent, even if the dialog is closed. */
function TextForm({ draft, label, button, failure, done, send }: FormProps) {
  const [{ text, wish }, setTyped] = useState(() => ({ text: '', wish: newKey(), ...readOwnerDraft(draft) }))
  const change = (typed: string) => {
    const words = { text: typed, wish: newKey() }
    setTyped(words)
    if (typed === '') removeOwnerDraft(draft)
    else saveOwnerDraft(draft, words)
  }
  const action = useAdminAction({
    schema: InboxNoteList,
    failure,
    done,
    send: () => send(text, wish),
    onDone: () => change(''),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() && !action.isPending) action.mutate()
  }
  return (
    <form onSubmit={submit}>
      <TextAreaField
        label={label}
        value={text}
        maxLength={5000}
        required
        onChange={({ target }) => change(target.value)}
      />
      {action.problem && <Banner tone="bad" role="alert" title={action.problem} />}
      <Button type="submit" isSmall isBusy={action.isPending} busyLabel="Sending…">
        {button}
      </Button>
    </form>
  )
}

/** For someone who has joined already there’s nothing to offer, and until we know that we don’t. */
function InvitationWay({ about }: { about: About }) {
  const { data } = useQuery({
    queryKey: [adminKey, 'can-invite', about.kind, about.id],
    queryFn: () => parseResponse(CanInvite, callsOf(about).invitation.get()),
    staleTime: 0,
  })
  return (
    data?.canInvite === true && (
      <Way title="Invite to join">
        <InvitationForm about={about} />
      </Way>
    )
  )
}

type Wanted = { wanted: TierSlug | null | undefined; priceId?: string | undefined; wish: string }

function InvitationForm({ about }: { about: About }) {
  const tiers = useTiersOnSale()
  const [{ wanted, priceId, wish }, setWanted] = useState<Wanted>({ wanted: about.tierSlug, wish: newKey() })
  const meant = tiers.find(({ slug }) => slug === wanted) ?? tiers.find(({ isByInvitation }) => isByInvitation)
  const tier = meant ?? tiers[0]
  const tierSlug = tier?.slug ?? ''
  const want = (slug: TierSlug, price?: string) => setWanted({ wanted: slug, priceId: price, wish: newKey() })
  const action = useAdminAction({
    schema: InvitationResponse,
    send: () => callsOf(about).invitation.post({ tierSlug, priceId, wish }),
    failure: 'We couldn’t send the invitation',
    done: { title: 'Invitation on its way', description: about.email },
    onDone: () => want(tierSlug, priceId),
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!action.isPending) action.mutate()
      }}
    >
      <p>
        We’ll email {about.email} a link to join with this tier already picked. It works for 14 days. They don’t pay
        until they confirm.
      </p>
      <SelectField
        label="Tier"
        value={tierSlug}
        onChange={({ target }) => v.is(TierSlug, target.value) && want(target.value)}
      >
        {tiers.map(({ slug, name }) => (
          <option key={slug} value={slug}>
            {name}
          </option>
        ))}
      </SelectField>
      <InvitedPrice
        tier={tier}
        value={priceId ?? ''}
        onChange={({ target }) => want(tierSlug, target.value || undefined)}
      />
      {action.problem && <Banner tone="bad" role="alert" title={action.problem} />}
      {action.data && (
        <p className="second notes__text">
          Or text them the link: <span className="num">{action.data.url}</span>
        </p>
      )}
      <Button type="submit" isSmall icon="mail" isBusy={action.isPending} busyLabel="Sending…">
        Send the invitation
      </Button>
    </form>
  )
}
