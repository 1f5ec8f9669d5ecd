import { type ComponentProps, useState } from 'react'
import { PlaceIcon } from '#pwa/features/admin/frame/place-icon.tsx'
import { PhoneLink } from '#pwa/features/admin/phone-link.tsx'
import { Button, ButtonLink } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { TextAnchor } from '#pwa/ui/link.tsx'
import { nameOrEmail } from '#shared/rules/person-name.ts'
import { AccessDialog } from './access-dialog.tsx'
import { InvoiceDeleteDialog } from './invoice-delete-dialog.tsx'
import { RemoveDialog } from './remove-dialog.tsx'

type Member = ComponentProps<typeof AccessDialog>['member'] & { phone: string | null }
export type MemberChoice = { member: Member; dialog: 'access' | 'invoices' | 'remove' }

type Props = { member: Member; onChoose: (choice: MemberChoice) => void }

/** The same in the list and on the record; what can’t be undone comes last. */
export function RowMenu({ member, onChoose }: Props) {
  const [isOpen, setOpen] = useState(false)
  const name = nameOrEmail(member)
  const choose = (dialog: MemberChoice['dialog']) => () => {
    setOpen(false)
    onChoose({ member, dialog })
  }
  const [access, icon] = member.isMember ? (['Revoke', 'ban'] as const) : (['Restore', 'undo'] as const)
  return (
    <>
      <button
        type="button"
        className="iconbtn"
        aria-label={`More for ${name}`}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <PlaceIcon name="more" />
      </button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={name}>
        <div className="rowmenu">
          <p>
            {member.phone && <PhoneLink isTap phone={member.phone} of={name} />}{' '}
            <TextAnchor isTap href={`mailto:${member.email}`}>
              {member.email}
            </TextAnchor>
          </p>
          <ButtonLink look="line" icon="eye" to="/view-member/$memberId" params={{ memberId: member.id }}>
            What they’ve watched
          </ButtonLink>
          <Button look="line" {...{ icon }} aria-haspopup="dialog" onClick={choose('access')}>
            {access} {name}’s access
          </Button>
          <Button look="line" icon="receipt" aria-haspopup="dialog" onClick={choose('invoices')}>
            Delete {name}’s invoices
          </Button>
          <Button look="bad" icon="bin" aria-haspopup="dialog" onClick={choose('remove')}>
            Remove {name} permanently
          </Button>
        </div>
      </Dialog>
    </>
  )
}

const dialogs = { access: AccessDialog, invoices: InvoiceDeleteDialog, remove: RemoveDialog }

export function ChosenDialog({ member, dialog, onClose }: MemberChoice & { onClose: () => void }) {
  const Chosen = dialogs[dialog]
  return <Chosen member={member} onClose={onClose} />
}
