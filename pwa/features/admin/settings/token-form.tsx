import { useState } from 'react'
import * as v from 'valibot'
import { readOwnerDraft, removeOwnerDraft, saveOwnerDraft } from '#pwa/features/admin/kit/forms/draft-storage.ts'
import { FormActs } from '#pwa/features/admin/kit/forms/form-acts.tsx'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { readFormValues } from '#pwa/features/forms/form-draft-store.ts'
import { RequiredLabel } from '#pwa/features/forms/form-fields.tsx'
import { useValidatedForm } from '#pwa/features/forms/use-validated-form.ts'
import { api } from '#pwa/lib/api.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { SelectField, TextField } from '#pwa/ui/field.tsx'
import { ApiToken, ApiTokenRequest } from '#shared/contract/sessions.ts'
import { formatLongDate } from '#shared/rules/london.ts'

const TokenFields = v.pipe(
  v.object({ name: v.string(), scopes: v.string(), days: v.string() }),
  v.transform(({ scopes, days, ...typed }) => ({ ...typed, scopes: scopes.split(' '), days: Number(days) })),
  ApiTokenRequest,
)

/** Shows the new token once; the server only stores its hash. */
export function TokenDialog({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<ApiToken | null>(null)
  return (
    <Dialog isOpen onClose={onClose} title={made ? 'Copy the token now' : 'New token'}>
      {made ? <MadeToken made={made} onClose={onClose} /> : <TokenForm onMade={setMade} onClose={onClose} />}
    </Dialog>
  )
}

const draft = 'token'

function TokenForm({ onMade, onClose }: { onMade: (token: ApiToken) => void; onClose: () => void }) {
  const action = useAdminAction({
    schema: ApiToken,
    send: (request: ApiTokenRequest) => api.api.admin.tokens.post(request),
    failure: 'We couldn’t make the token.',
    done: ({ name }) => ({ title: 'Token made', description: name }),
    onDone: (made) => {
      removeOwnerDraft(draft)
      onMade(made)
    },
  })
  const [typed] = useState(() => readOwnerDraft(draft))
  const { form, errors, isBusy } = useValidatedForm({
    schema: TokenFields,
    send: action.mutateAsync,
    onDone: () => {},
    onFail: () => {},
  })
  const onInput: typeof form.onInput = (event) => {
    saveOwnerDraft(draft, readFormValues(event.currentTarget))
    form.onInput(event)
  }
  return (
    <form {...form} onInput={onInput} className="token" aria-label="New token">
      {action.problem && <Banner tone="bad" role="alert" title={action.problem} />}
      <TextField
        label={<RequiredLabel label="What it’s for" />}
        name="name"
        required
        autoComplete="off"
        defaultValue={typed?.name}
        error={errors.name}
      />
      <SelectField label="What it can do" name="scopes" defaultValue={typed?.scopes} error={errors.scopes}>
        <option value="read">Read only</option>
        <option value="read files">Read, and download the accountant’s files</option>
        <option value="read write">Read and change</option>
      </SelectField>
      <SelectField label="How long it lasts" name="days" defaultValue={typed?.days ?? '90'} error={errors.days}>
        <option value="7">7 days</option>
        <option value="30">30 days</option>
        <option value="90">90 days</option>
        <option value="365">A year</option>
      </SelectField>
      <FormActs submit="Make the token" busy="Making…" isBusy={isBusy} onClose={onClose} />
    </form>
  )
}

function MadeToken({ made: { token, name, expiresAt }, onClose }: { made: ApiToken; onClose: () => void }) {
  const [isCopied, setCopied] = useState(false)
  const copy = () => {
    navigator.clipboard.writeText(token).then(() => setCopied(true), reportError)
  }
  return (
    <div className="token">
      <p>
        This is the token for “{name}”. It works until {formatLongDate(expiresAt)}. You won’t see it again, so keep it
        with your passwords.
      </p>
      <TextField label="Token" readOnly value={token} onFocus={({ target }) => target.select()} />
      <div className="acts">
        <Button onClick={copy}>{isCopied ? 'Copied' : 'Copy'}</Button>
        <Button look="line" onClick={onClose}>
          I’ve got it
        </Button>
      </div>
    </div>
  )
}
