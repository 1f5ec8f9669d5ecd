import { useState } from 'react'
import { ActionDialog } from '#pwa/features/admin/kit/forms/action-dialog.tsx'
import { useDraft } from '#pwa/features/admin/kit/forms/use-draft.ts'
import { BulkFailures, useBulk } from '#pwa/features/admin/kit/list/bulk.tsx'
import type { Chosen } from '#pwa/features/admin/kit/list/use-list.ts'
import { useProof } from '#pwa/features/auth/proof/use-proof.tsx'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { newKey } from '#pwa/lib/new-key.ts'
import { Button } from '#pwa/ui/button.tsx'
import { TextAreaField } from '#pwa/ui/field.tsx'
import { InboxNoteList } from '#shared/contract/inbox.ts'
import { type AdminMember, AdminMemberDetail } from '#shared/contract/members.ts'
import { nameOrEmail } from '#shared/rules/person-name.ts'
import { plural } from '#shared/rules/plural.ts'
import { isDoubtfulGuest } from './access-dialog.tsx'

const idOf = ({ id }: AdminMember) => id
const idle = { isPending: false, error: null, problem: null }

/** Only what moves no money. Ending, charging and removing are confirmed one by one. */
export function BulkMembers({ chosen }: { chosen: Chosen<AdminMember> }) {
  const [open, setOpen] = useState<'mail' | 'restore' | null>(null)
  const without = chosen.rows.filter(({ isMember, isAdmin }) => !isMember && !isAdmin)
  const unproven = without.filter(isDoubtfulGuest)
  const restore = useBulk<AdminMember>({
    idOf,
    nameOf: nameOrEmail,
    send: ({ id }) =>
      parseResponse(
        AdminMemberDetail,
        api.api.admin.members({ memberId: id })['revoke-access'].patch({ isMember: true }),
      ),
    done: (count) => `Access restored for ${plural(count, 'member')}`,
  })
  return (
    <>
      <Button isSmall look="line" aria-haspopup="dialog" onClick={() => setOpen('mail')}>
        Write an email
      </Button>
      {without.length > 0 && (
        <Button isSmall look="line" aria-haspopup="dialog" onClick={() => setOpen('restore')}>
          Restore access for {without.length}
        </Button>
      )}
      <BulkFailures failures={restore.failures} />
      {open === 'mail' && <MailDialog chosen={chosen} onClose={() => setOpen(null)} />}
      {open === 'restore' && (
        <ActionDialog
          title={`Restore access for ${plural(without.length, 'member')}?`}
          button="Restore access"
          busy={restore.progress ?? ''}
          action={{ ...idle, isPending: restore.progress !== null }}
          onSubmit={() => restore.run(chosen, without).then(() => setOpen(null), reportError)}
          onClose={() => setOpen(null)}
        >
          <p>{without.map(nameOrEmail).join(', ')}</p>
          <p>Anyone without a paid membership gets in free until you end it. Payments don’t change.</p>
          {unproven.length > 0 && (
            <p>No one has logged in yet with a link or code sent to {unproven.map(({ email }) => email).join(', ')}.</p>
          )}
        </ActionDialog>
      )}
    </>
  )
}

/**
 * A separate email each, so no one sees the other addresses; it’s kept with each member’s notes. The idempotency key changes
 * with the text, so a retry of the same text reaches no one twice.
 */
function MailDialog({ chosen, onClose }: { chosen: Chosen<AdminMember>; onClose: () => void }) {
  const { values, change, finish } = useDraft('bulk-mail', { text: '', wish: newKey() }, onClose)
  const [isMissing, setMissing] = useState(false)
  const prove = useProof()
  const people = chosen.rows.length
  const mail = useBulk<AdminMember>({
    idOf,
    nameOf: nameOrEmail,
    send: ({ id }) => {
      const { reply } = api.api.admin.inbox({ kind: 'members' })({ id })
      return prove(() => parseResponse(InboxNoteList, reply.post({ ...values, people })))
    },
    done: (count) => `${plural(count, 'email')} on the way`,
  })
  const submit = async () => {
    setMissing(values.text.trim() === '')
    if (values.text.trim() === '' || !(await mail.run(chosen))) return
    finish()
  }
  return (
    <ActionDialog
      title={`Write to ${plural(people, 'member')}?`}
      button="Send emails"
      busy={mail.progress ?? ''}
      action={{ ...idle, isPending: mail.progress !== null }}
      onSubmit={() => void submit().catch(reportError)}
      onClose={onClose}
    >
      <p>{chosen.rows.map(nameOrEmail).join(', ')}</p>
      <TextAreaField
        label="Your message (they each get the same one)"
        maxLength={5000}
        required
        value={values.text}
        error={isMissing ? 'Write your message.' : undefined}
        onChange={({ target }) => change({ text: target.value, wish: newKey() })}
      />
      <BulkFailures failures={mail.failures} />
    </ActionDialog>
  )
}
