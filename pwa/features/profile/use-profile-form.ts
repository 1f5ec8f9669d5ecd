import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import * as v from 'valibot'
import { useProof } from '#pwa/features/auth/proof/use-proof.tsx'
import { readFormValues } from '#pwa/features/forms/form-draft-store.ts'
import { useValidatedForm } from '#pwa/features/forms/use-validated-form.ts'
import { isOffline, messageOf, RequestError } from '#pwa/lib/request-error.ts'
import { useToast } from '#pwa/ui/toast.tsx'
import { Profile, ProfileForm, type ProfileRequest } from '#shared/contract/profile.ts'
import { type ProfileDraft, removeProfileDraft, saveProfileDraft } from './profile-draft-storage.ts'
import { profileFields, valuesOf } from './profile-texts.ts'
import { type Account, profileQuery, saveProfile } from './queries.ts'

/** Sends only changed fields, so that another device's changes to the others stay. */
function changedFields(form: ProfileForm, base: Record<string, string>): ProfileRequest {
  const changed = profileFields.filter((name) => (form[name] ?? '') !== (base[name] ?? ''))
  return Object.fromEntries(changed.map((name) => [name, form[name]]))
}

/**
 * The profile's form. This device keeps what's typed until it's saved. If another device has changed the profile since, `theirs` is
 * what it says now, and we save nothing until the member has chosen.
 */
export function useProfileForm(account: Account & { hasPassword: boolean }, draft: ProfileDraft, onClose: () => void) {
  const formRef = useRef<HTMLFormElement>(null)
  const { theirs, problem, showFailure, clear } = useFailure()
  const queryClient = useQueryClient()
  const prove = useProof()
  const toast = useToast()
  const finish = (profile: Profile) => {
    removeProfileDraft()
    queryClient.setQueryData(profileQuery(account).queryKey, profile)
    onClose()
  }
  const versionToSend = useRef(draft.version)
  const { form, errors, isBusy } = useValidatedForm({
    schema: ProfileForm,
    send: (accepted) => {
      clear()
      const changed = changedFields(accepted, draft.base)
      const asksFirst = account.hasPassword && changed.email !== undefined
      return prove(() => saveProfile(account.session, changed, versionToSend.current), { asksFirst })
    },
    onDone: (profile, sent) => {
      finish(profile)
      toast({ title: 'Profile Updated', description: savedText(profile, sent.email), tone: 'ok' })
    },
    onFail: showFailure,
  })
  const onInput = (event: FormEvent<HTMLFormElement>) => {
    saveProfileDraft({ ...draft, typed: readFormValues(event.currentTarget) })
    form.onInput(event)
  }
  /** Keeps the other device's changes to other fields; stores the member's own over theirs. */
  const saveMine = () => {
    if (theirs === null) return
    versionToSend.current = theirs.version
    formRef.current?.requestSubmit()
  }
  const takeTheirs = () => theirs && finish(theirs)
  const conflict = theirs && { mine: mineIn(formRef.current, theirs, draft.base), theirs: valuesOf(theirs) }
  return { form: { ...form, onInput, ref: formRef }, errors, isBusy, problem, conflict, saveMine, takeTheirs }
}

/** `theirs` is what another device has saved since the form was opened. */
function useFailure() {
  const [theirs, setTheirs] = useState<Profile | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const toast = useToast()
  const showFailure = (error: Error) => {
    const current = v.safeParse(Profile, error instanceof RequestError ? error.versions?.current : undefined)
    if (current.success) return setTheirs(current.output)
    setProblem(reasonOf(error))
    toast({ title: 'Update Failed', description: 'Failed to update profile. Please try again.', tone: 'bad' })
  }
  const clear = () => {
    setTheirs(null)
    setProblem(null)
  }
  return { theirs, problem, showFailure, clear }
}

const savedText = ({ pendingEmail }: Profile, email: string) =>
  pendingEmail?.email === email ? `Open the link we emailed to ${email}.` : 'We’ve saved your details.'

function mineIn(form: HTMLFormElement | null, theirs: Profile, base: Record<string, string>): Record<string, string> {
  const typed = form ? readFormValues(form) : {}
  const changed = profileFields.filter((name) => (typed[name] ?? '').trim() !== (base[name] ?? ''))
  return { ...valuesOf(theirs), ...Object.fromEntries(changed.map((name) => [name, typed[name] ?? ''])) }
}

function reasonOf(error: Error): string {
  if (isOffline(error)) return 'No signal. It’s safe on this phone: save it when you’re back in range.'
  if (error instanceof RequestError && error.code === 'password_needed')
    return 'Enter your password or use a passkey to change your email. Nothing’s been saved yet.'
  return messageOf(error, 'We couldn’t reach the site. It’s safe on this phone: try again in a minute.')
}
