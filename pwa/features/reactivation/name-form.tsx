import type { FormEvent } from 'react'
import * as v from 'valibot'
import { useFieldErrors } from '#pwa/features/forms/use-field-errors.ts'
import { Button } from '#pwa/ui/button.tsx'
import { TextField } from '#pwa/ui/field.tsx'
import { messagesByField, RequiredLine } from '#shared/contract/fields.ts'

const NameOfBuyer = v.object({ name: RequiredLine('Name') })

/** For an account without a name, which the invoices need; it is stored with the payment. */
export function NameForm({ onName }: { onName: (name: string) => void }) {
  const { errors, showErrors, clearError } = useFieldErrors()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const read = v.safeParse(NameOfBuyer, Object.fromEntries(new FormData(event.currentTarget)))
    if (read.success) onName(read.output.name)
    else showErrors(event.currentTarget, messagesByField(read.issues))
  }
  return (
    <form className="purchase__part reac__name" aria-label="The name on your invoices" noValidate onSubmit={submit}>
      <p>Your invoices carry your name, and we do not have it yet.</p>
      <TextField
        label="Your name"
        name="name"
        autoComplete="name"
        required
        error={errors.name}
        onInput={() => clearError('name')}
      />
      <div>
        <Button type="submit" icon="arrow">
          Continue
        </Button>
      </div>
    </form>
  )
}
