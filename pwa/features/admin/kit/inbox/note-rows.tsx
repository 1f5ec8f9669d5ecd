import { useState } from 'react'
import { readOwnerDraft } from '#pwa/features/admin/kit/forms/draft-storage.ts'
import { RowForm } from '#pwa/features/admin/kit/forms/row-form.tsx'
import { mailStatusLabels, mailTones } from '#pwa/features/admin/kit/jobs/system-texts.ts'
import { api } from '#pwa/lib/api.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { IconButton } from '#pwa/ui/button.tsx'
import { TextAreaField } from '#pwa/ui/field.tsx'
import { InboxNote, InboxNoteRequest } from '#shared/contract/inbox.ts'
import { type About, receivedAt } from './inbox-texts.ts'

type Props = { about: About; notes: readonly InboxNote[] }

export const NoteRows = ({ about, notes }: Props) =>
  notes.length === 0 ? (
    <p className="second">No notes yet.</p>
  ) : (
    <ol className="plain">
      {notes.map((note) => (
        <NoteRow key={note.id} about={about} note={note} />
      ))}
    </ol>
  )

const kindLabels = { note: 'Note', reply: 'Email', invitation: 'Invitation' }

/** Either owner can edit a note. A sent email can’t be edited. */
function NoteRow({ about, note }: { about: About; note: InboxNote }) {
  const { id, kind, text, author, mailStatus, createdAt, version } = note
  const draft = `note-change:${id}`
  const [isEditing, setEditing] = useState(() => readOwnerDraft(draft) !== null)
  return (
    <li>
      <div className="notes__head">
        <p className="second">
          <b>{kindLabels[kind]}</b> {receivedAt(createdAt)}
          {author && `, ${author}`}
          {version > 1 && ', edited'}{' '}
          {mailStatus && <Badge tone={mailTones[mailStatus]}>{mailStatusLabels[mailStatus]}</Badge>}
        </p>
        {kind === 'note' && !isEditing && (
          <IconButton
            icon="pencil"
            label={`Edit the note from ${receivedAt(createdAt)}`}
            onClick={() => setEditing(true)}
          />
        )}
      </div>
      {isEditing ? (
        <NoteForm about={about} note={note} draft={draft} onClose={() => setEditing(false)} />
      ) : (
        <p className="notes__text">{text}</p>
      )}
    </li>
  )
}

const valuesOf = ({ text, version }: InboxNote) => ({ text, version: String(version) })

type FormProps = { about: About; note: InboxNote; draft: string; onClose: () => void }

const NoteForm = ({ about: { kind, id }, note, draft, onClose }: FormProps) => (
  <RowForm
    label="Edit the note"
    className="fields"
    draft={draft}
    schema={InboxNoteRequest}
    read={(typed) => typed}
    row={InboxNote}
    begin={() => valuesOf(note)}
    valuesOf={valuesOf}
    send={(request, { version }) =>
      api.api.admin
        .inbox({ kind })({ id })
        .notes({ noteId: note.id })
        .patch({ ...request, version })
    }
    failure="We couldn’t save the note."
    done={() => ({ title: 'Note saved' })}
    compared={[['Note', ({ text }) => text]]}
    submit="Save the note"
    cancel="Leave it"
    onClose={onClose}
  >
    {({ values, errors }) => (
      <TextAreaField
        label="Note, for owners only"
        name="text"
        maxLength={5000}
        required
        defaultValue={values.text}
        error={errors.text}
      />
    )}
  </RowForm>
)
