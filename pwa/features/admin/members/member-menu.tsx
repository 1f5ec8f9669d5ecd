import type { ComponentProps } from 'react'
import { RowMenu } from '#pwa/features/admin/kit/list/row-menu.tsx'
import { PhoneLink } from '#pwa/features/admin/kit/phone-link.tsx'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { TextAnchor } from '#pwa/ui/link.tsx'
import { nameOrEmail } from '#shared/rules/person-name.ts'
import { AccessDialog } from './access-dialog.tsx'
import { InvoiceDeleteDialog } from './invoice-delete-dialog.tsx'
import { RemoveDialog } from './remove-dialog.tsx'

type Member = ComponentProps<typeof AccessDialog>['member'] & { phone: string | null }
export type MemberChoice = { member: Member; dialog: 'access' | 'invoices' | 'remove' }

type Props = { member: Member; onChoose: (choice: MemberChoice) => void }

/** The same in the list and on the record. */
export function MemberMenu({ member, onChoose }: Props) {
  const name = nameOrEmail(member)
  const choose = (dialog: MemberChoice['dialog']) => () => onChoose({ member, dialog })
  return (
    <RowMenu
      name={name}
      items={[
        { label: `${member.isMember ? 'Revoke' : 'Restore'} ${name}’s access`, onPress: choose('access') },
        { label: `Delete ${name}’s invoices`, onPress: choose('invoices') },
        { label: `Remove ${name} permanently`, onPress: choose('remove') },
      ]}
    >
      <p>
        {member.phone && <PhoneLink isTap phone={member.phone} of={name} />}{' '}
        <TextAnchor isTap href={`mailto:${member.email}`}>
          {member.email}
        </TextAnchor>
      </p>
      <ButtonLink look="line" to="/view-member/$memberId" params={{ memberId: member.id }}>
        What they’ve watched
      </ButtonLink>
    </RowMenu>
  )
}

const dialogs = { access: AccessDialog, invoices: InvoiceDeleteDialog, remove: RemoveDialog }

export function ChosenDialog({ member, dialog, onClose }: MemberChoice & { onClose: () => void }) {
  const Chosen = dialogs[dialog]
  return <Chosen member={member} onClose={onClose} />
}
