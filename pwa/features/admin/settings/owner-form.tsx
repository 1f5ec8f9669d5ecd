import { readOwnerDraft } from '#pwa/features/admin/kit/forms/draft-storage.ts'
import { FormActs } from '#pwa/features/admin/kit/forms/form-acts.tsx'
import { useAdminForm } from '#pwa/features/admin/kit/forms/use-admin-form.ts'
import { RequiredLabel } from '#pwa/features/forms/form-fields.tsx'
import { api } from '#pwa/lib/api.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { EmailField } from '#pwa/ui/field.tsx'
import { OwnerInvitation, OwnerInvitationRequest } from '#shared/contract/owners.ts'
import { formatMoment } from '#shared/rules/london.ts'

const draft = 'owner-invitation'

export function InviteOwnerDialog({ onClose }: { onClose: () => void }) {
  const { form, errors, isBusy, problem } = useAdminForm({
    draft,
    schema: OwnerInvitationRequest,
    read: ({ email }) => ({ email }),
    row: OwnerInvitation,
    send: (body) => api.api.admin.owners.invitations.post(body),
    failure: 'We couldn’t send the invitation.',
    done: ({ email, expiresAt }) => ({
      title: 'Invitation sent',
      description: `${email} can accept until ${formatMoment(expiresAt)}.`,
    }),
    onDone: onClose,
  })
  return (
    <Dialog isOpen onClose={onClose} title="Invite an owner">
      <form {...form} className="fields" aria-label="Invite an owner">
        <p>
          They’ll be able to see and do everything you can. We’ll email them a link that works once and lasts 48 hours.
          Every owner gets an email about it.
        </p>
        {problem && <Banner tone="bad" role="alert" title={problem} />}
        <EmailField
          label={<RequiredLabel label="Email" />}
          name="email"
          required
          defaultValue={readOwnerDraft(draft)?.email}
          error={errors.email}
        />
        <FormActs submit="Send the invitation" busy="Sending…" isBusy={isBusy} onClose={onClose} />
      </form>
    </Dialog>
  )
}
