import { useQuery } from '@tanstack/react-query'
import { adminKey } from '#pwa/features/admin/kit/queries.ts'
import { JoinedOn, MemberHead, MissingMember } from '#pwa/features/admin/members/member-head.tsx'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { Tape } from '#pwa/ui/tape.tsx'
import { AdminMemberDetail } from '#shared/contract/members.ts'
import { type VideoProgress, VideoProgressList } from '#shared/contract/progress.ts'
import { type MemberVideo, MemberVideoList } from '#shared/contract/video.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { nameOrEmail } from '#shared/rules/person-name.ts'
import { videosByCategory } from '#shared/rules/video.ts'
import '#pwa/features/admin/kit/admin.css'
import './viewed-member.css'

type Viewed = { member: AdminMemberDetail; videos: MemberVideo[]; done: ReadonlyMap<string, VideoProgress> }

async function requestViewed(memberId: string): Promise<Viewed> {
  const [member, videos, progress] = await Promise.all([
    parseResponse(AdminMemberDetail, api.api.admin.member({ memberId }).get()),
    parseResponse(MemberVideoList, api.api['member-videos'].get()),
    parseResponse(VideoProgressList, api.api.admin['member-progress']({ memberId }).get()),
  ])
  const done = new Map(progress.filter(({ completed }) => completed).map((row) => [row.videoId, row]))
  const tier = member.membershipType
  const isTheirs = ({ id, tierAccess }: MemberVideo) => tier === null || tierAccess.includes(tier) || done.has(id)
  return { member, videos: videos.filter(isTheirs), done }
}

export default function ViewedMemberSection({ memberId }: { memberId: string }) {
  const query = useQuery({
    queryKey: [adminKey, 'view-member', memberId],
    queryFn: () => requestViewed(memberId),
    staleTime: 0,
    refetchOnReconnect: true,
  })
  const { data, error } = query
  if (data) return <ViewedMember {...data} />
  return error === null ? <LoadingMember /> : <MissingMember title="View as member" {...query} error={error} />
}

const LoadingMember = () => (
  <div className="wrap viewed__loading" role="status" aria-label="Loading the member">
    <span className="spinner" aria-hidden="true" />
  </div>
)

const percentOf = (done: number, total: number) => (total === 0 ? 0 : Math.round((done / total) * 100))

function ViewedMember({ member, videos, done }: Viewed) {
  const type = member.tierName
  const completed = videos.filter(({ id }) => done.has(id)).length
  return (
    <>
      <MemberHead
        title={`Viewing as: ${nameOrEmail(member)}`}
        who={
          <p className="viewed__who">
            <span>{member.email}</span>
            <Badge tone={type === null ? 'plain' : 'ok'}>{type === null ? 'Not a Member' : `${type} Member`}</Badge>
            <JoinedOn member={member} />
          </p>
        }
      />
      <div className="wrap viewed">
        <section className="sheet viewed__sum" aria-label="Overall progress">
          <p className="board__top label">
            <span>Videos completed</span>
            <span>{percentOf(completed, videos.length)}%</span>
          </p>
          <p className="fig">
            {completed}/{videos.length}
          </p>
          {videos.length > 0 && (
            <Tape label="Overall progress" value={completed} max={videos.length} major={10} minor={1} />
          )}
        </section>
        {videosByCategory(videos).map((category) => (
          <CategoryCard key={category.name} name={category.name} videos={category.videos} done={done} />
        ))}
        {videos.length === 0 && <EmptyState level={2} title="No videos for this member yet" />}
      </div>
    </>
  )
}

type CardProps = { name: string; videos: readonly MemberVideo[]; done: Viewed['done'] }

function CategoryCard({ name, videos, done }: CardProps) {
  const completed = videos.filter(({ id }) => done.has(id)).length
  const percent = percentOf(completed, videos.length)
  return (
    <section className="sheet viewed__card" aria-label={name || 'Uncategorized'}>
      <header>
        <h2>{name || 'Uncategorized'}</h2>
        <p className="second num">
          {completed}/{videos.length} completed
        </p>
        <Badge tone={percent === 100 ? 'ok' : 'plain'}>{percent}%</Badge>
      </header>
      <ol className="plain">
        {videos.map((video) => (
          <li key={video.id}>
            <div>
              <h3>{video.title}</h3>
              {video.description && <p className="second">{video.description}</p>}
            </div>
            <Standing progress={done.get(video.id)} />
          </li>
        ))}
      </ol>
    </section>
  )
}

const Standing = ({ progress }: { progress: VideoProgress | undefined }) =>
  progress ? (
    <p>
      <b>Complete</b> {progress.completedAt && formatLongDate(progress.completedAt)}
    </p>
  ) : (
    <p className="second">Not started</p>
  )
