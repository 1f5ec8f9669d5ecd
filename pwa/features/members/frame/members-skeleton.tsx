import type { ReactNode } from 'react'
import type { MemberTab } from '#pwa/features/members/search.ts'
import { classNames } from '#pwa/ui/class-names.ts'
import { Skeleton } from '#pwa/ui/skeleton.tsx'

/** What's there until a page can show itself: a screen reader is told its heading already. */
export const Coming = ({ title, children }: { title: string; children: ReactNode }) => (
  <>
    <h1 className="vh">{title}</h1>
    {children}
  </>
)

/** Two categories, as ruled blanks. */
export const DashboardSkeleton = () => (
  <div className="members__skeletons" role="status" aria-label="Loading the videos">
    {[0, 1].map((place) => (
      <div className="sheet members__skeleton" key={place}>
        <Skeleton size="title" isShort />
        <Skeleton />
        <Skeleton size="block" />
      </div>
    ))}
  </div>
)

export const ProfileSkeleton = () => (
  <div className="sheet members__skeleton" role="status" aria-label="Loading your profile">
    <Skeleton size="title" isShort />
    <Skeleton />
    <Skeleton size="block" />
  </div>
)

export const AreaSkeleton = ({ tab = 'dashboard' }: { tab?: MemberTab | undefined }) => (
  <div className={classNames('members', tab !== 'dashboard' && 'members--slim')}>
    <div className="members__side">
      <div className="mem" aria-hidden="true">
        <Skeleton size="figure" isShort />
        <Skeleton isShort />
        <Skeleton size="figure" />
      </div>
    </div>
    <div className="members__area">
      <DashboardSkeleton />
    </div>
  </div>
)
