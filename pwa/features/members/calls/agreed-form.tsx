import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import * as v from 'valibot'
import type { AuthSession } from '#pwa/features/auth/session-store.ts'
import { ConflictSection } from '#pwa/features/forms/conflict.tsx'
import { parseResponse } from '#pwa/lib/api.ts'
import { isOffline, messageOf, RequestError } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { TextAreaField } from '#pwa/ui/field.tsx'
import { KeepButton } from '#pwa/ui/keep-button.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { agreementLength } from '#shared/contract/calendar.ts'
import { CallAgreement } from '#shared/contract/member-calls.ts'
import { readAgreedDraft, removeAgreedDraft, saveAgreedDraft } from './agreed-draft-storage.ts'

type Props = {
  call: CallAgreement
  session: AuthSession
  onSaved: () => void
  onClose: () => void
}

/** What is typed stays on this phone until it is saved. What the coach has written since is shown, never overwritten unseen. */
export default function AgreedForm({ call, session, onSaved, onClose }: Props) {
  const toast = useToast()
  const [{ text, version }, setDraft] = useState(
    () => readAgreedDraft(call.id) ?? { text: call.agreed ?? '', version: call.version },
  )
  const save = useMutation({
    mutationFn: (over: number) =>
      parseResponse(
        CallAgreement,
        session.api.api.calendar.mine({ id: call.id }).agreed.put({ agreed: text, version: over }),
      ),
    onSuccess: () => {
      toast({ title: 'Saved', description: 'Your coach can see it too.', tone: 'ok' })
      close(onSaved)
    },
  })
  const close = (then: () => void) => {
    removeAgreedDraft(call.id)
    then()
  }
  const change = (typed: string) => {
    setDraft({ text: typed, version })
    saveAgreedDraft(call.id, { text: typed, version })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!save.isPending) save.mutate(version)
  }
  const theirs = versionOf(save.error)
  return (
    <form className="calls__form" onSubmit={submit}>
      <TextAreaField
        label="What you agreed, and who does it by when"
        value={text}
        maxLength={agreementLength}
        onChange={({ target }) => change(target.value)}
      />
      {theirs ? (
        <ConflictSection
          title="Your coach has changed this since you opened it"
          differences={[{ label: 'What was agreed', mine: text, theirs: theirs.agreed ?? '' }]}
          isBusy={save.isPending}
          onMine={() => save.mutate(theirs.version)}
          onTheirs={() => close(onSaved)}
        />
      ) : (
        save.error && <Banner tone="bad" role="alert" title={problemOf(save.error)} />
      )}
      <div className="acts">
        <Button type="submit" isSmall isBusy={save.isPending} busyLabel="Saving…">
          Save
        </Button>
        <KeepButton isSmall isBusy={save.isPending} onClick={() => close(onClose)}>
          Don’t save
        </KeepButton>
      </div>
    </form>
  )
}

function versionOf(error: Error | null): CallAgreement | null {
  const current = v.safeParse(CallAgreement, error instanceof RequestError ? error.versions?.current : undefined)
  return current.success ? current.output : null
}

const problemOf = (error: Error) =>
  isOffline(error)
    ? 'No signal. It’s safe on this phone: save it when you’re back in range.'
    : messageOf(error, 'We couldn’t reach the site. It’s safe on this phone: try again in a minute.')
