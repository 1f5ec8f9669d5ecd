import { type FormEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import * as v from 'valibot'
import { focusFirstError } from '#pwa/features/forms/use-field-errors.ts'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { CheckField } from '#pwa/ui/field.tsx'
import { MembershipApplicationForm } from '#shared/contract/application.ts'
import { messagesByField } from '#shared/contract/fields.ts'
import {
  type ApplicationDraft,
  type ApplicationErrors,
  type ApplicationField,
  emptyDraft,
  isEmptyDraft,
} from './application-draft.ts'
import { BusinessFields, type FieldProps, GoalFields, PersonFields } from './application-fields.tsx'

type Props = {
  draft: ApplicationDraft
  onWrite: (draft: ApplicationDraft) => void
  onSubmit: (form: MembershipApplicationForm) => void
}

/** Step 1: every field is needed; nothing is sent before a tier is chosen. */
export function ApplicationStep({ draft, onWrite, onSubmit }: Props) {
  const { form, errors, onChange, forgetErrors } = useApplication({ draft, onWrite, onSubmit })
  const { prices } = useSiteContent()
  const fieldOf: FieldProps['fieldOf'] = (name) => ({
    name,
    required: true,
    value: draft[name],
    error: errors[name],
    // Pasted from a table, say: nobody can see a tab, and the contract takes none.
    onChange: ({ target }) => onChange(name, target.value.replaceAll('\t', ' ')),
  })
  return (
    <form className="purchase__form join__form" aria-label="Application" noValidate {...form}>
      <PersonFields fieldOf={fieldOf} />
      <BusinessFields fieldOf={fieldOf} />
      <GoalFields fieldOf={fieldOf} />
      <CheckField
        label="I agree to the terms of membership"
        hint={prices.terms}
        name="agreeTerms"
        required
        checked={draft.agreeTerms}
        error={errors.agreeTerms}
        onChange={({ target }) => onChange('agreeTerms', target.checked)}
      />
      <div className="purchase__press">
        <Button type="submit" icon="arrow">
          Continue to tiers
        </Button>
        <ClearApplication draft={draft} onWrite={onWrite} onClear={forgetErrors} />
        <p className="second">
          Every field is needed. What you type is kept on this device for 48 hours, until it is sent.
        </p>
      </div>
    </form>
  )
}

type ClearProps = Pick<Props, 'draft' | 'onWrite'> & { onClear: () => void }

/** Empties the form, on this device too; a press by mistake can be taken back until something else is typed. */
function ClearApplication({ draft, onWrite, onClear }: ClearProps) {
  const [cleared, setCleared] = useState<ApplicationDraft | null>(null)
  const isEmpty = isEmptyDraft(draft)
  if (cleared && isEmpty)
    return (
      <Button look="bare" onClick={() => onWrite(cleared)}>
        Bring it back
      </Button>
    )
  const clear = () => {
    setCleared(isEmpty ? null : draft)
    onWrite(emptyDraft)
    onClear()
  }
  return (
    <Button look="bare" onClick={clear}>
      Clear this form
    </Button>
  )
}

function useApplication({ draft, onWrite, onSubmit }: Props) {
  const [errors, setErrors] = useState<ApplicationErrors>({})
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const read = v.safeParse(MembershipApplicationForm, draft)
    if (read.success) return onSubmit(read.output)
    const found = messagesByField(read.issues)
    flushSync(() => setErrors(found))
    focusFirstError(form, found)
  }
  /** A field that was marked is looked at again as it changes; the others wait for the next press. */
  const onChange = (name: ApplicationField, value: string | boolean) => {
    onWrite({ ...draft, [name]: value })
    if (!errors[name]) return
    const read = v.safeParse(MembershipApplicationForm.entries[name], value)
    setErrors({ ...errors, [name]: read.success ? undefined : read.issues[0].message })
  }
  return { form: { onSubmit: submit }, errors, onChange, forgetErrors: () => setErrors({}) }
}
