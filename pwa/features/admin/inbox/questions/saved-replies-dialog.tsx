import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { DeleteDialog } from '#pwa/features/admin/kit/forms/confirm-dialog.tsx'
import { readOwnerDraft } from '#pwa/features/admin/kit/forms/draft-storage.ts'
import { formOf, lineField, textField } from '#pwa/features/admin/kit/forms/form-parts.tsx'
import { RowForm } from '#pwa/features/admin/kit/forms/row-form.tsx'
import { ListState } from '#pwa/features/admin/kit/list/list.tsx'
import { api } from '#pwa/lib/api.ts'
import { newKey } from '#pwa/lib/new-key.ts'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { Done } from '#shared/contract/auth.ts'
import { questionTextLimit, SavedReply, SavedReplyRequest } from '#shared/contract/questions.ts'
import { savedRepliesQuery } from './queries.ts'

/** To see and change them without answering anyone. */
export function SavedRepliesButton() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button isSmall look="line" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Saved replies
      </Button>
      {isOpen && <SavedRepliesDialog onClose={() => setOpen(false)} />}
    </>
  )
}

type Props = {
  /** What’s typed in the answer, which may be worth keeping. */
  text?: string
  /** Without it there’s no answer to put one into. */
  onChoose?: (text: string) => void
  onClose: () => void
}

const newDraft = 'saved-reply:new'

/** `new`, or the id of the one that’s being changed. */
type Editing = string | null

export function SavedRepliesDialog({ text = '', onChoose, onClose }: Props) {
  const { data, ...state } = useQuery(savedRepliesQuery)
  const [editing, setEditing] = useState<Editing>(() => (readOwnerDraft(newDraft) === null ? null : 'new'))
  const [deleting, setDeleting] = useState<SavedReply | null>(null)
  const stop = () => setEditing(null)
  return (
    <Dialog isOpen isWide onClose={onClose} title="Saved replies">
      <ListState {...state} />
      {data === undefined && state.error === null && <Skeleton size="block" />}
      {data?.length === 0 && editing === null && (
        <p>None yet. Save an answer you give often, and you only write it once.</p>
      )}
      <ul className="plain asked__replies">
        {data?.map((reply) => (
          <li key={reply.id}>
            {editing === reply.id ? (
              <ReplyForm reply={reply} onClose={stop} />
            ) : (
              <Reply reply={reply} onEdit={() => setEditing(reply.id)} onDelete={() => setDeleting(reply)}>
                {onChoose && (
                  <Button isSmall look="line" aria-label={`Use “${reply.title}”`} onClick={() => onChoose(reply.text)}>
                    Use
                  </Button>
                )}
              </Reply>
            )}
          </li>
        ))}
      </ul>
      {editing === 'new' ? (
        <ReplyForm reply={null} text={text} onClose={stop} />
      ) : (
        <div className="acts">
          <Button isSmall look="line" onClick={() => setEditing('new')}>
            {text === '' ? 'Write a new one' : 'Save what you’ve typed'}
          </Button>
        </div>
      )}
      {deleting && <DeleteReply reply={deleting} onClose={() => setDeleting(null)} />}
    </Dialog>
  )
}

type ReplyProps = { reply: SavedReply; onEdit: () => void; onDelete: () => void; children: ReactNode }

const Reply = ({ reply: { title, text }, onEdit, onDelete, children }: ReplyProps) => (
  <>
    <div>
      <b>{title}</b>
      <p className="entry__short">{text}</p>
    </div>
    <div className="acts">
      {children}
      <Button isSmall look="line" aria-label={`Edit “${title}”`} onClick={onEdit}>
        Edit
      </Button>
      <Button isSmall look="line" aria-label={`Delete “${title}”`} aria-haspopup="dialog" onClick={onDelete}>
        Delete
      </Button>
    </div>
  </>
)

const replyForm = formOf<object>([
  lineField('title', 'Title, so you can find it', { required: true, maxLength: 80 }),
  textField('text', 'Text', { required: true, maxLength: questionTextLimit }),
])

type FormProps = { reply: SavedReply | null; text?: string; onClose: () => void }

function ReplyForm({ reply, text = '', onClose }: FormProps) {
  const calls = api.api.admin['saved-replies']
  return (
    <RowForm
      label={reply === null ? 'New saved reply' : `Edit “${reply.title}”`}
      className="fields"
      draft={reply === null ? newDraft : `saved-reply:${reply.id}`}
      schema={SavedReplyRequest}
      row={SavedReply}
      valuesOf={replyForm.valuesOf}
      read={replyForm.read}
      compared={replyForm.compared}
      begin={() => (reply === null ? { text, version: '0', key: newKey() } : replyForm.valuesOf(reply))}
      send={(request, { version, key }) =>
        reply === null
          ? calls.post(request, { headers: { 'idempotency-key': key } })
          : calls({ id: reply.id }).put({ ...request, version })
      }
      failure="We couldn’t save the reply."
      done={({ title }) => ({ title: 'Reply saved', description: title })}
      submit="Save the reply"
      cancel="Leave it"
      onClose={onClose}
    >
      {replyForm.draw}
    </RowForm>
  )
}

const DeleteReply = ({ reply, onClose }: { reply: SavedReply; onClose: () => void }) => (
  <DeleteDialog
    what="saved reply"
    row={reply}
    schema={SavedReply}
    removed={Done}
    send={() => api.api.admin['saved-replies']({ id: reply.id }).delete()}
    nowIs={({ title }) => `It’s been changed, and is called “${title}” now.`}
    onClose={onClose}
  >
    Answers you’ve sent with it stay as they are.
  </DeleteDialog>
)
