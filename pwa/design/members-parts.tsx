import { useState } from 'react'
import { type TickState, VideoRow } from '#pwa/features/members/videos/video-row.tsx'
import { Category } from '#pwa/ui/category.tsx'
import { SyncLine } from '#pwa/ui/sync-line.tsx'
import { BottomTabLink, BottomTabs, TabLink, Tabs } from '#pwa/ui/tabs.tsx'
import type { MemberVideo } from '#shared/contract/video.ts'
import { Group, Specimen } from './specimen.tsx'

function ignore() {}

const video: MemberVideo = {
  id: 'sample',
  slug: 'pricing-a-boiler-swap',
  title: 'Pricing a boiler swap',
  description: 'What to put in, and what to leave out.',
  videoType: 'wistia',
  videoId: 'sample',
  embedUrl: null,
  category: 'Pricing',
  orderIndex: 1,
  isPublished: true,
  tierAccess: ['lite'],
  duration: 12,
  createdAt: '2026-06-12T07:40:00.000Z',
  updatedAt: '2026-06-12T07:40:00.000Z',
}

const exact = { exact: true }

export const MembersParts = () => (
  <Group name="Members area">
    <Specimen name="Sync line">
      <SyncLine isOnline waiting={0} lastSynced="07:52" onSync={ignore} />
      <SyncLine isOnline waiting={3} lastSynced="07:40" onSync={ignore} />
      <SyncLine isOnline isSending waiting={3} lastSynced="07:40" onSync={ignore} />
      <SyncLine isOnline waiting={1} refused={1} lastSynced="07:40" onSync={ignore} />
      <SyncLine isOnline={false} waiting={3} lastSynced="07:40" onSync={ignore} />
      <SyncLine isOnline={false} waiting={0} onSync={ignore} />
      <SyncLine isOnline={false} hasNetwork waiting={2} onSync={ignore} />
    </Specimen>
    <Specimen name="Category and its rows">
      <Rows />
    </Specimen>
    <Specimen name="Category, closed and open">
      <ClosedCategory />
    </Specimen>
    <Specimen name="Tabs and dock">
      <Tabs label="Sample tabs">
        <TabLink to="/" activeOptions={exact}>
          Dashboard
        </TabLink>
        <TabLink to="/about">Profile</TabLink>
        <TabLink to="/about">Billing</TabLink>
      </Tabs>
      <BottomTabs label="Sample dock">
        <BottomTabLink to="/" activeOptions={exact} icon="list">
          Dashboard
        </BottomTabLink>
        <BottomTabLink to="/about" icon="person">
          Profile
        </BottomTabLink>
        <BottomTabLink to="/about" icon="receipt">
          Billing
        </BottomTabLink>
      </BottomTabs>
    </Specimen>
  </Group>
)

type LineProps = { number: number; state: TickState; isCompleted: boolean; hasSignal?: boolean }

const Line = ({ hasSignal = true, ...line }: LineProps) => (
  <VideoRow
    {...line}
    video={video}
    canPlay={hasSignal}
    kept={line.isCompleted ? 'whole' : undefined}
    canKeep={false}
    refusedId={line.state === 'refused' ? 'sample' : undefined}
    reason="This video isn’t in your tier."
    onWatch={ignore}
    onOpen={ignore}
    onTick={ignore}
    onRetry={ignore}
  />
)

const Rows = () => (
  <>
    <Category title="Pricing" count={6} minutes={72} done={2}>
      <Line number={1} state="settled" isCompleted={false} />
      <Line number={2} state="settled" isCompleted />
      <Line number={3} state="pending" isCompleted />
      <Line number={4} state="sending" isCompleted />
      <Line number={5} state="refused" isCompleted={false} />
      <Line number={6} state="settled" isCompleted={false} hasSignal={false} />
    </Category>
    <Category title="Complete" count={1} minutes={12} done={1}>
      <Line number={1} state="settled" isCompleted />
    </Category>
  </>
)

function ClosedCategory() {
  const [isOpen, setOpen] = useState(false)
  return (
    <Category title="Something else" count={1} minutes={12} done={0} isOther isOpen={isOpen} onToggle={setOpen}>
      <Line number={1} state="settled" isCompleted={false} />
    </Category>
  )
}
