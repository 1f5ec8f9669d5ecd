import { useState } from 'react'
import { receivedAt } from '#pwa/features/admin/kit/inbox/inbox-texts.ts'
import { VoicePlayer } from '#pwa/features/questions/recorder/voice-player.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { TextAnchor } from '#pwa/ui/link.tsx'
import type { Question, QuestionFile, QuestionMessage } from '#shared/contract/questions.ts'
import { fileStanding } from './question-file-texts.ts'
import { useDevice } from './use-device.ts'

type ThreadProps = { question: Question; memberName: string }

/** All that was said, the first first. */
export const Thread = ({ question, memberName }: ThreadProps) => (
  // The focus comes here when what was pressed has gone.
  <ol className="plain asked__thread" aria-label="What was said" tabIndex={-1} data-next>
    {question.messages.map((message) => (
      <Message key={message.id} message={message} memberName={memberName} />
    ))}
  </ol>
)

type MessageProps = { message: QuestionMessage; memberName: string }

function Message({ message, memberName }: MessageProps) {
  const { author, name, text, link, files, at } = message
  const who = author === 'member' ? memberName : (name ?? 'A coach')
  const member = author === 'member' ? memberName : null
  const photos = files.filter(({ kind }) => kind === 'photo')
  return (
    <li className={author === 'member' ? 'asked__said' : 'asked__said asked__said--coach'}>
      <p className="second">
        <b>{who}</b>, {receivedAt(at)}
      </p>
      {text !== '' && (
        <p className="entry__words" dir="auto">
          {text}
        </p>
      )}
      {link && (
        <p>
          <TextAnchor href={link.path}>{link.title}</TextAnchor>
        </p>
      )}
      {photos.length > 0 && (
        <ul className="plain asked__photos">
          {photos.map((file, index) => (
            <li key={file.id}>
              <Photo file={file} member={member} name={photoName(who, index, photos.length)} />
            </li>
          ))}
        </ul>
      )}
      {files.map((file) => file.kind === 'voice' && <Voice key={file.id} file={file} member={member} who={who} />)}
    </li>
  )
}

const photoName = (who: string, index: number, count: number) =>
  count === 1 ? `${who}’s photo` : `${who}’s photo ${index + 1} of ${count}`

const contentOf = ({ id }: QuestionFile, form: 'served' | 'aac') =>
  `/api/admin/question-files/${id}/content?form=${form}`

type FileProps = { file: QuestionFile; member: string | null }

function Photo({ file, member, name }: FileProps & { name: string }) {
  const [isOpen, setOpen] = useState(false)
  const standing = fileStanding(file, member)
  if (standing !== null) return <p className="asked__coming">{standing}</p>
  const size = { width: file.width ?? undefined, height: file.height ?? undefined }
  const address = contentOf(file, 'served')
  return (
    <>
      <button
        type="button"
        className="asked__photo"
        aria-haspopup="dialog"
        aria-label={`${name}: see it larger`}
        onClick={() => setOpen(true)}
      >
        <img src={address} alt="" loading="lazy" decoding="async" {...size} />
      </button>
      {isOpen && (
        <Dialog isOpen isWide title={name} onClose={() => setOpen(false)}>
          <img className="asked__large" src={address} alt={name} {...size} />
        </Dialog>
      )}
    </>
  )
}

function Voice({ file, member, who }: FileProps & { who: string }) {
  const device = useDevice()
  const standing = fileStanding(file, member)
  if (standing !== null) return <p className="asked__coming">{standing}</p>
  return (
    <VoicePlayer
      device={device}
      source={contentOf(file, file.hasAac ? 'aac' : 'served')}
      type={file.hasAac ? null : file.type}
      ms={file.durationMs}
      label={`${who}’s voice note`}
      fileName={`voice-note-${file.id}`}
    />
  )
}
