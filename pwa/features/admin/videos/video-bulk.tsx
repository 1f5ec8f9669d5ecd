import { BulkBar, BulkMark } from '#pwa/features/admin/kit/list/bulk.tsx'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import type { Chosen } from '#pwa/features/admin/kit/list/use-list.ts'
import { useTierList } from '#pwa/features/admin/kit/tiers/use-tier-names.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { AdminVideo, type VideoChangeRequest } from '#shared/contract/admin-video.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { plural } from '#shared/rules/plural.ts'
import { tiersOf, videoFields } from './video-texts.ts'

type Props = { chosen: Chosen<AdminVideo>; categories: readonly string[] }

/** The choices that suit a price list: all tiers, one and up, or one alone. */
const choicesOf = (slugs: readonly TierSlug[]): readonly TierSlug[][] => [
  [...slugs],
  ...slugs.slice(1).map((_, at) => slugs.slice(at + 1)),
  ...slugs.slice(0, -1).map((slug) => [slug]),
]

const change = ({ id, version }: AdminVideo, changes: Omit<VideoChangeRequest, 'version'>) =>
  parseResponse(AdminVideo, api.api.admin.videos({ id }).patch({ ...changes, version }))

const nameOf = ({ title }: AdminVideo) => title
const hint = 'If someone else has just changed a video, we leave it alone and list it.'

export function VideoBulkBar({ chosen, categories: [first = '', ...others] }: Props) {
  const tierList = useTierList()
  if (chosen.rows.length === 0) return null
  const columns: Column<AdminVideo>[] = videoFields(tierList).map(([label, text]) => ({ label, cell: text, text }))
  const tiers = choicesOf(tierList.slugs).map(
    (slugs) => [slugs.join(), tiersOf({ tierAccess: slugs }, tierList)] as const,
  )
  const [all = ['', ''] as const, ...rest] = tiers
  const shared = { chosen, nameOf, hint }
  return (
    <BulkBar name="videos" columns={columns} chosen={chosen}>
      <BulkMark
        {...shared}
        label="Publish or hide"
        choiceLabel="State"
        title={(count) => `Publish or hide ${plural(count, 'video')}?`}
        choices={[
          ['published', 'Published: members see them'],
          ['draft', 'Draft: no one sees them'],
        ]}
        send={(video, state) => change(video, { isPublished: state === 'published' })}
        done={(count) => `${plural(count, 'video')} changed`}
      />
      <BulkMark
        {...shared}
        label="Who sees them"
        choiceLabel="Tiers"
        title={(count) => `Who sees ${plural(count, 'video')}?`}
        choices={[all, ...rest]}
        send={(video, slugs) =>
          change(video, { tierAccess: tierList.slugs.filter((slug) => slugs.split(',').includes(slug)) })
        }
        done={(count) => `${plural(count, 'video')} changed`}
      />
      <BulkMark
        {...shared}
        label="Move to a category"
        choiceLabel="Category"
        title={(count) => `Move ${plural(count, 'video')}?`}
        choices={[[first, first], ...others.map((name) => [name, name] as const)]}
        send={(video, category) => change(video, { category })}
        done={(count) => `${plural(count, 'video')} moved`}
      />
    </BulkBar>
  )
}
