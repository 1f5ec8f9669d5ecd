import { useState } from 'react'
import * as v from 'valibot'
import {
  type FormValues,
  readOwnerDraft,
  removeOwnerDraft,
  saveOwnerDraft,
} from '#pwa/features/admin/kit/forms/draft-storage.ts'
import { FormActs } from '#pwa/features/admin/kit/forms/form-acts.tsx'
import { PlaceLink } from '#pwa/features/admin/kit/part.tsx'
import { InvitedPrice } from '#pwa/features/admin/kit/tiers/invited-price.tsx'
import { useTiersOnSale } from '#pwa/features/admin/kit/tiers/use-tier-names.ts'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { readFormValues } from '#pwa/features/forms/form-draft-store.ts'
import { RequiredLabel } from '#pwa/features/forms/form-fields.tsx'
import { useValidatedForm } from '#pwa/features/forms/use-validated-form.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { newKey } from '#pwa/lib/new-key.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { EmailField, SelectField, TextField } from '#pwa/ui/field.tsx'
import { KeepButton } from '#pwa/ui/keep-button.tsx'
import type { AdminTierPrice } from '#shared/contract/admin-tier.ts'
import {
  MemberInvitation,
  MemberInvitationPreview,
  MemberInvitationRequest,
} from '#shared/contract/member-invitations.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { formatPlanPrice } from '#shared/rules/price-words.ts'
import { monthsOf } from '#shared/rules/tier-prices.ts'

const draft = 'member-invitation'

type Shown = { request: MemberInvitationRequest; preview: MemberInvitationPreview }

/** Asks who and what, then shows the email before it's sent. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState(() => readOwnerDraft(draft))
  const [shown, setShown] = useState<Shown | null>(null)
  return (
    <Dialog isOpen onClose={onClose} title={shown ? 'Send this email?' : 'Invite a member'}>
      {shown ? (
        <EmailToSend {...shown} onBack={() => setShown(null)} onClose={onClose} />
      ) : (
        <InviteForm
          typed={typed}
          onType={(values) => {
            setTyped(values)
            saveOwnerDraft(draft, values)
          }}
          onShow={setShown}
          onClose={onClose}
        />
      )}
    </Dialog>
  )
}

const Fields = v.object({
  ...v.pick(MemberInvitationRequest, ['email', 'firstName', 'lastName', 'tierSlug']).entries,
  priceId: v.optional(
    v.pipe(
      v.string(),
      v.transform((id) => id || undefined),
    ),
  ),
  freeMonths: v.pipe(v.string(), v.transform(Number)),
})

type FormProps = {
  typed: FormValues | null
  onType: (values: FormValues) => void
  onShow: (shown: Shown) => void
  onClose: () => void
}

function InviteForm({ typed, onType, onShow, onClose }: FormProps) {
  const [problem, setProblem] = useState<string | null>(null)
  const { form, errors, isBusy } = useValidatedForm({
    schema: Fields,
    send: async (given): Promise<Shown> => {
      const request = { ...given, id: newKey() }
      const preview = await parseResponse(MemberInvitationPreview, api.api.admin.invitations.preview.post(request))
      return { request, preview }
    },
    onDone: onShow,
    onFail: (error) => setProblem(messageOf(error, 'We couldn’t prepare the email.')),
  })
  const onInput: typeof form.onInput = (event) => {
    onType(readFormValues(event.currentTarget))
    form.onInput(event)
  }
  return (
    <form {...form} onInput={onInput} className="fields" aria-label="Invite a member">
      {problem && !Object.values(errors).some(Boolean) && <Banner tone="bad" role="alert" title={problem} />}
      <p>
        They’ll be a member. For an owner, press{' '}
        <PlaceLink place="owners" search={{ open: '1' }}>
          Invite an owner
        </PlaceLink>
        .
      </p>
      <InviteFields typed={typed} errors={errors} />
      <FormActs submit="See the email" busy="Writing it…" isBusy={isBusy} onClose={onClose} />
    </form>
  )
}

const monthChoices = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]

type FieldsProps = { typed: FormValues | null; errors: Readonly<Record<string, string | undefined>> }

function InviteFields({ typed, errors }: FieldsProps) {
  const tiers = useTiersOnSale()
  const chosen = typed?.tierSlug ?? tiers.find(({ isDefault }) => isDefault)?.slug
  return (
    <>
      <EmailField
        label={<RequiredLabel label="Email" />}
        name="email"
        required
        autoComplete="off"
        defaultValue={typed?.email}
        error={errors.email}
      />
      <TextField
        label="First name"
        name="firstName"
        autoComplete="off"
        defaultValue={typed?.firstName}
        error={errors.firstName}
      />
      <TextField
        label="Last name"
        name="lastName"
        autoComplete="off"
        defaultValue={typed?.lastName}
        error={errors.lastName}
      />
      <SelectField key={tiers.length} label="Tier" name="tierSlug" defaultValue={chosen} error={errors.tierSlug}>
        {tiers.map(({ slug, name, prices }) => (
          <option key={slug} value={slug}>
            {name}, {pricesText(prices)}
          </option>
        ))}
      </SelectField>
      <InvitedPrice
        key={chosen}
        tier={tiers.find(({ slug }) => slug === chosen)}
        name="priceId"
        defaultValue={typed?.priceId}
        error={errors.priceId}
      />
      <SelectField
        label="Free months"
        name="freeMonths"
        defaultValue={typed?.freeMonths ?? '0'}
        error={errors.freeMonths}
      >
        {monthChoices.map((count) => (
          <option key={count} value={count}>
            {count === 0 ? 'None' : count}
          </option>
        ))}
      </SelectField>
    </>
  )
}

const pricesText = (prices: readonly AdminTierPrice[]) =>
  prices
    .filter(({ isOffered }) => isOffered)
    .map(({ net, every }) => formatPlanPrice({ net, months: monthsOf[every] }))
    .join(' or ')

type SendProps = Shown & { onBack: () => void; onClose: () => void }

function EmailToSend({ request, preview, onBack, onClose }: SendProps) {
  const action = useAdminAction({
    schema: MemberInvitation,
    send: () => api.api.admin.invitations.post(request),
    failure: 'We couldn’t send the invitation.',
    done: ({ email, expiresAt }) => ({
      title: 'Invitation sent',
      description: `${email} can join until ${formatLongDate(expiresAt)}.`,
    }),
    onDone: () => {
      removeOwnerDraft(draft)
      onClose()
    },
  })
  return (
    <>
      <p>To {request.email}</p>
      <h3>{preview.subject}</h3>
      {preview.text.split('\n\n').map((words) => (
        <p key={words}>{words}</p>
      ))}
      {action.problem && <Banner tone="bad" role="alert" title={action.problem} />}
      <div className="acts">
        <Button icon="mail" isBusy={action.isPending} busyLabel="Sending…" onClick={() => action.mutate()}>
          Send the invitation
        </Button>
        <KeepButton isBusy={action.isPending} onClick={onBack}>
          Change it
        </KeepButton>
      </div>
    </>
  )
}
