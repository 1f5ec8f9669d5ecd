import { useState } from 'react'
import type { EnteredMember } from '#pwa/features/members/frame/member-gate.tsx'
import { syncedWhen } from '#pwa/features/members/frame/sync-status.tsx'
import { PrivateWindow } from '#pwa/features/members/shelf/private-window.tsx'
import { useStorage } from '#pwa/features/members/shelf/use-storage.ts'
import { wantInstall } from '#pwa/lib/install.ts'
import { seeBrowser } from '#pwa/lib/see-browser.ts'
import { useEngine, useIsReadOnly } from '#pwa/sync/hooks.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { installWay, mayClearAfterAWeek } from '#shared/rules/install-way.ts'
import { plural } from '#shared/rules/plural.ts'
import { formatBytes } from '#shared/values/media.ts'
import { type PhoneReport, usePhoneReport } from './phone-report-store.ts'

export default function StorageSection({ onLogout }: Pick<EnteredMember, 'onLogout'>) {
  const report = usePhoneReport()
  if (!report) return <Skeleton size="block" />
  return (
    <>
      <StoredData report={report} />
      <RemoveEverything unsent={report.unsent} onLogout={onLogout} />
    </>
  )
}

function StoredData({ report: { sync, videos, texts, unsent } }: { report: PhoneReport }) {
  const { room, answer, protect } = useStorage()
  const seen = seeBrowser()
  const rows: [label: string, value: string][] = [
    ['Videos in your list', videos === 0 ? noVideos : `${videos}${texts > 0 ? `, notes for ${texts}` : ''}`],
    ['Not sent yet', unsent === 0 ? 'Nothing' : plural(unsent, 'change')],
    ['Last updated', sync.lastSyncedAt ? syncedWhen(sync.lastSyncedAt, new Date()) : 'Not yet'],
    [
      'Also saved',
      'Your details and photo, your questions and answers, what you said you’d do, your billing, calls and invoices, and the app itself',
    ],
  ]
  return (
    <section className="sheet account__sheet" aria-labelledby="kept">
      <h2 className="panel__title" id="kept">
        Saved on this phone
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
      <p>We keep your video list and ticks on this phone so they open without signal. They go when you log out.</p>
      <PrivateWindow room={room} />
      {mayClearAfterAWeek(seen) && <ClearedAfterAWeek unsent={unsent} canInstall={installWay(seen, false) !== null} />}
      {room?.isPersistent ? (
        <Banner tone="ok" role="status" title="Safe">
          It stays here even when the phone is full.
        </Banner>
      ) : (
        <>
          <Button look="line" isSmall isBusy={!room} onClick={() => void protect()}>
            Keep it even when the phone is full
          </Button>
          {answer === 'no' && (
            <Banner role="status" title="Your browser said no">
              It may clear this when the phone is full. Most browsers say yes once you’ve added us to your home screen.
            </Banner>
          )}
        </>
      )}
    </section>
  )
}

type ClearedProps = { unsent: number; canInstall: boolean }

/** No browser tells when, as it counts the days someone browses. */
const ClearedAfterAWeek = ({ unsent, canInstall }: ClearedProps) => (
  <Banner
    icon="info"
    title="Open us once a week"
    action={
      canInstall && (
        <Button look="line" isSmall aria-haspopup="dialog" onClick={() => wantInstall('steps')}>
          Show me how
        </Button>
      )
    }
  >
    <p>If you browse for about a week without opening us, your browser may clear what’s saved here.</p>
    {unsent > 0 && <p>You’d lose {plural(unsent, 'change')} not sent yet.</p>}
    {canInstall && <p>It won’t once you’ve added us to your Home Screen.</p>}
  </Banner>
)

const noVideos = 'None yet. Open your list while you’re online.'

function sizeOf({ usage, quota }: { usage: number | null; quota: number | null }): string {
  if (usage === null) return 'Your browser won’t say'
  return quota === null ? formatBytes(usage) : `${formatBytes(usage)} of ${formatBytes(quota)}`
}

function RemoveEverything({ unsent, onLogout }: { unsent: number } & Pick<EnteredMember, 'onLogout'>) {
  const engine = useEngine()
  const isReadOnly = useIsReadOnly()
  const [isAsking, setAsking] = useState(false)
  if (isReadOnly) return null
  const remove = async () => {
    await engine.discard()
    onLogout(true)
  }
  return (
    <section className="sheet account__sheet" aria-labelledby="remove">
      <h2 className="panel__title" id="remove">
        Remove everything
      </h2>
      <p>
        We’ll remove everything of yours from this phone and log you out here. Your account and your progress are safe.
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
          <p>This removes your list, your details and your drafts, and logs you out on this phone.</p>
        ) : (
          <p>
            {unsent === 1 ? 'It is' : 'They are'} only on this phone. If you remove everything, you will lose{' '}
            {unsent === 1 ? 'it' : 'them'}.{' '}
            <TextLink to="/members/$place" params={{ place: 'sync' }}>
              See what’s not sent
            </TextLink>
          </p>
        )}
      </Dialog>
    </section>
  )
}
