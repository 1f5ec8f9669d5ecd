import { useState } from 'react'
import { syncedWhen } from '#pwa/features/members/sync-status-section.tsx'
import { useEngine, useIsReadOnly } from '#pwa/sync/hooks.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { formatBytes } from '#shared/rules/media.ts'
import { plural } from '#shared/rules/plural.ts'
import { type PhoneReport, usePhoneReport } from './phone-report-store.ts'
import { useStorage } from './use-storage.ts'

/** What this phone keeps of the member, how it is kept safe, and how it goes. */
export default function StorageSection({ onLogout }: { onLogout: () => void }) {
  const report = usePhoneReport()
  if (!report) return <Skeleton size="block" />
  return (
    <>
      <StoredData report={report} />
      <RemoveEverything unsent={report.unsent} onLogout={onLogout} />
    </>
  )
}

function StoredData({ report: { sync, lessons, texts, unsent } }: { report: PhoneReport }) {
  const { room, answer, protect } = useStorage()
  const rows: [label: string, value: string][] = [
    ['Lessons in your list', lessons === 0 ? noLessons : `${lessons}${texts > 0 ? `, notes for ${texts}` : ''}`],
    ['Waiting to be sent', unsent === 0 ? 'Nothing' : plural(unsent, 'change')],
    ['Last synced', sync.lastSyncedAt ? syncedWhen(sync.lastSyncedAt, new Date()) : 'Not yet'],
    ['Also kept', 'Your details and photo, where your billing stands, your calls, and the site’s own files'],
  ]
  return (
    <section className="sheet account__sheet" aria-labelledby="kept">
      <h2 className="panel__title" id="kept">
        Kept on this phone
      </h2>
      {room ? <p className="fig phone__size">{sizeOf(room)}</p> : <Skeleton size="figure" isShort />}
      <dl className="profile__rows">
        {rows.map(([label, value]) => (
          <div key={label}>
            <dt className="label">{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p>It is here so that your list opens without signal. It belongs to you alone and goes when you log out.</p>
      {room?.isPersistent ? (
        <Banner tone="ok" role="status" title="Kept safe">
          The browser keeps all of it, even when the phone is full.
        </Banner>
      ) : (
        <>
          <Button look="line" isSmall isBusy={!room} onClick={() => void protect()}>
            Keep this phone’s data safe
          </Button>
          {answer === 'no' && (
            <Banner role="status" title="The browser said no">
              It may clear what is kept here when the phone is full. What waits goes to the site as soon as there is
              signal. Most browsers say yes once the site is on the home screen.
            </Banner>
          )}
        </>
      )}
    </section>
  )
}

const noLessons = 'None yet. Open your list once with signal.'

function sizeOf({ usage, quota }: { usage: number | null; quota: number | null }): string {
  if (usage === null) return 'This browser does not say how much'
  return quota === null ? formatBytes(usage) : `${formatBytes(usage)} of ${formatBytes(quota)}`
}

function RemoveEverything({ unsent, onLogout }: { unsent: number; onLogout: () => void }) {
  const engine = useEngine()
  const isReadOnly = useIsReadOnly()
  const [isAsking, setAsking] = useState(false)
  if (isReadOnly) return null
  const remove = async () => {
    await engine.discard()
    onLogout()
  }
  return (
    <section className="sheet account__sheet" aria-labelledby="remove">
      <h2 className="panel__title" id="remove">
        Remove everything
      </h2>
      <p>
        This takes everything of yours off this phone and logs you out here. Your account and your progress on the site
        stay.
      </p>
      <Button look="bad" isSmall onClick={() => setAsking(true)}>
        Remove everything
      </Button>
      <Dialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={unsent === 0 ? 'Remove everything from this phone?' : `${plural(unsent, 'change')} not sent yet`}
        footer={
          <>
            <Button look="bad" onClick={() => void remove().catch(reportError)}>
              {unsent === 0 ? 'Remove and log out' : 'Remove and lose them'}
            </Button>
            <Button look="line" onClick={() => setAsking(false)}>
              Keep
            </Button>
          </>
        }
      >
        {unsent === 0 ? (
          <p>Your list, your details and your drafts go. You are logged out on this phone.</p>
        ) : (
          <p>
            {unsent === 1 ? 'It is' : 'They are'} on this phone alone, and removing everything loses{' '}
            {unsent === 1 ? 'it' : 'them'}.{' '}
            <TextLink to="/members/$place" params={{ place: 'sync' }}>
              See what waits
            </TextLink>
          </p>
        )}
      </Dialog>
    </section>
  )
}
