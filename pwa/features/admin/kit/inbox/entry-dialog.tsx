import type { ReactNode } from 'react'
import { MemberLink } from '#pwa/features/admin/kit/members/member-link.tsx'
import { PhoneLink } from '#pwa/features/admin/kit/phone-link.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { TextAnchor } from '#pwa/ui/link.tsx'
import type { About, Fact } from './inbox-texts.ts'
import { Notes } from './notes.tsx'
import './inbox.css'

export type Sender = { name: string; email: string; phone?: string | null }

type Props = {
  about: About
  sender: Sender
  facts: readonly Fact[]
  status?: ReactNode
  statusLabel?: string | undefined
  /** Null if the sender isn’t a member. */
  memberId?: string | null
  onClose: () => void
}

export const EntryDialog = ({
  about,
  sender,
  facts,
  status,
  statusLabel = 'Status',
  memberId = null,
  onClose,
}: Props) => (
  <Dialog isOpen isWide onClose={onClose} title={sender.name}>
    <p className="entry__ways">
      <TextAnchor isTap href={`mailto:${sender.email}`}>
        {sender.email}
      </TextAnchor>
      {sender.phone && <PhoneLink isTap phone={sender.phone} />}
    </p>
    {memberId !== null && (
      <p>
        <MemberLink id={memberId}>{sender.name}</MemberLink> is a member now.
      </p>
    )}
    {status && (
      <div className="entry__status">
        <span className="label">{statusLabel}</span>
        {status}
      </div>
    )}
    <dl className="entry">
      {facts.map(
        ([label, value]) =>
          value !== null &&
          value !== undefined &&
          value !== '' && (
            <div key={label}>
              <dt className="label">{label}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
    <Notes about={about} />
  </Dialog>
)
