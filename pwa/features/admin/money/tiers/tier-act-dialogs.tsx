import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ConfirmDialog } from '#pwa/features/admin/kit/forms/confirm-dialog.tsx'
import { adminTiersQuery } from '#pwa/features/admin/kit/tiers/queries.ts'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { CheckField, SelectField } from '#pwa/ui/field.tsx'
import { AdminTier } from '#shared/contract/admin-tier.ts'
import { Done } from '#shared/contract/auth.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { plural } from '#shared/rules/plural.ts'
import { listText } from '#shared/rules/tier-consequences.ts'
import { FalseSentences, TierMentions, tierToBe } from './false-sentences.tsx'
import { TierChanges, TierUsesText, tierUsesQuery } from './tier-uses.tsx'

type Props = { tier: AdminTier; onClose: () => void }

const knownOf = ({ members }: AdminTier) => ({ members, preselected: null })

/** Members keep it and its price; nobody joins it. Restoring undoes that. */
export function RetireDialog({ tier, onClose }: Props) {
  const { slug, name, isDefault } = tier
  const uses = useQuery(tierUsesQuery(slug))
  const next = useNextDefault(tier)
  const action = useAdminAction({
    schema: AdminTier,
    send: (version: number) => api.api.admin.tiers({ tier: slug }).retire.post({ version, ...next.request }),
    failure: 'We couldn’t retire the tier.',
    done: { title: 'Tier retired', description: name },
    onDone: onClose,
    onFailure: () => void uses.refetch(),
  })
  const { data } = uses
  return (
    <ConfirmDialog
      title={`Retire ${name}?`}
      button="Retire tier"
      busy="Retiring…"
      isDisabled={data === undefined || !next.isChosen}
      action={action}
      onClose={onClose}
      onConfirm={() => data && action.mutate(data.version)}
    >
      <div className="tieract">
        <p>Members keep it and its price. No one can join it or change to it until you restore it.</p>
        <TierUsesText slug={slug} />
        {data && data.booked.members > 0 && (
          <p>{`${plural(data.booked.members, 'booked change')} to it still ${data.booked.members === 1 ? 'goes' : 'go'} ahead.`}</p>
        )}
        <TierChanges changes={[tier, { ...tier, isActive: false }, knownOf(tier)]} />
        {isDefault && next.field}
        <FalseSentences then={tierToBe(tier, false)} />
        <TierMentions tier={tier} />
      </div>
    </ConfirmDialog>
  )
}

export function RestoreDialog({ tier, onClose }: Props) {
  const { slug, name, version, isShown } = tier
  const action = useAdminAction({
    schema: AdminTier,
    send: () => api.api.admin.tiers({ tier: slug }).restore.post({ version }),
    failure: 'We couldn’t restore the tier.',
    done: { title: 'Tier restored', description: name },
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={`Restore ${name}?`}
      button="Restore tier"
      busy="Restoring…"
      keep="Leave it retired"
      look="ink"
      action={action}
      onClose={onClose}
      onConfirm={() => action.mutate()}
    >
      <div className="tieract">
        <TierUsesText slug={slug} />
        <TierChanges changes={[{ ...tier, isActive: false }, { ...tier, isActive: true }, knownOf(tier)]} />
        <FalseSentences then={tierToBe(tier, isShown)} />
      </div>
    </ConfirmDialog>
  )
}

export function DefaultDialog({ tier, onClose }: Props) {
  const { slug, name, version } = tier
  const { data: tiers = [] } = useQuery(adminTiersQuery)
  const before = tiers.find(({ isDefault }) => isDefault)
  const action = useAdminAction({
    schema: AdminTier,
    send: () => api.api.admin.tiers({ tier: slug }).default.post({ version }),
    failure: 'We couldn’t make it the default.',
    done: { title: 'Default changed', description: name },
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={`Make ${name} the default?`}
      button="Make default"
      busy="Saving…"
      keep="Cancel"
      look="ink"
      action={action}
      onClose={onClose}
      onConfirm={() => action.mutate()}
    >
      <div className="tieract">
        <p>
          {`Someone who hasn’t chosen a tier gets ${name}${before ? ` instead of ${before.name}` : ''}. Members keep the tier they’re on.`}
        </p>
        <TierUsesText slug={slug} />
      </div>
    </ConfirmDialog>
  )
}

export function DeleteTierDialog({ tier, onClose }: Props) {
  const { slug, name, isDefault } = tier
  const uses = useQuery(tierUsesQuery(slug))
  const next = useNextDefault(tier)
  const [leavesVideos, setLeavesVideos] = useState(false)
  const action = useAdminAction({
    schema: Done,
    send: (version: number) => api.api.admin.tiers({ tier: slug }).delete({ version, leavesVideos, ...next.request }),
    failure: 'We couldn’t delete the tier.',
    done: { title: 'Tier deleted', description: name },
    onDone: onClose,
    onFailure: () => void uses.refetch(),
  })
  const { data } = uses
  const isNamed = data !== undefined && data.namedBy.length > 0
  const leaves = data === undefined || data.ownVideos.length === 0 || leavesVideos
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      button={isNamed ? null : 'Delete tier'}
      busy="Deleting…"
      isDisabled={data === undefined || !leaves || !next.isChosen}
      action={action}
      onClose={onClose}
      onConfirm={() => data && action.mutate(data.version)}
    >
      <div className="tieract">
        {isNamed ? (
          <p>{`You can’t, because it’s used by ${listText(data.namedBy)}. Retire it instead.`}</p>
        ) : (
          <p>Its prices and commission rate go too. You cannot get it back.</p>
        )}
        <TierUsesText slug={slug} />
        {data && !isNamed && data.ownVideos.length > 0 && (
          <OwnVideos videos={data.ownVideos}>
            <CheckField
              label="Delete it anyway"
              checked={leavesVideos}
              onChange={({ target }) => setLeavesVideos(target.checked)}
            />
          </OwnVideos>
        )}
        {!isNamed && <TierChanges changes={[tier, { ...tier, isActive: false }, knownOf(tier)]} />}
        {isDefault && !isNamed && next.field}
        {!isNamed && <FalseSentences then={tierToBe(tier, false)} />}
        {!isNamed && <TierMentions tier={tier} />}
      </div>
    </ConfirmDialog>
  )
}

type VideosProps = { videos: readonly { id: string; title: string }[]; children: ReactNode }

const OwnVideos = ({ videos, children }: VideosProps) => (
  <section aria-label="Its own videos">
    <h3>No one would see these videos</h3>
    <ul>
      {videos.map(({ id, title }) => (
        <li key={id}>{title}</li>
      ))}
    </ul>
    {children}
  </section>
)

/** The default tier goes only with another in its place. */
function useNextDefault({ slug, isDefault }: AdminTier) {
  const { data: tiers = [] } = useQuery(adminTiersQuery)
  const [chosen, setChosen] = useState<TierSlug>('')
  const field = (
    <SelectField
      label="Default tier from now on"
      value={chosen}
      hint="Someone who hasn’t chosen a tier gets this one."
      onChange={({ target }) => setChosen(target.value)}
    >
      <option value="">Choose one</option>
      {tiers
        .filter((one) => one.slug !== slug && one.isActive && one.isShown)
        .map((one) => (
          <option key={one.slug} value={one.slug}>
            {one.name}
          </option>
        ))}
    </SelectField>
  )
  return { field, isChosen: !isDefault || chosen !== '', request: isDefault ? { newDefault: chosen } : {} }
}
