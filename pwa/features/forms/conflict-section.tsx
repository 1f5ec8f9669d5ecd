import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Table } from '#pwa/ui/table.tsx'

/** What one field holds here, and what somebody else has stored in it. */
export type Difference = { label: string; mine: string; theirs: string }

type Props = {
  title: string
  differences: readonly Difference[]
  isBusy: boolean
  /** Where taking one's own saves nothing yet. */
  mineLabel?: string
  onMine: () => void
  onTheirs: () => void
}

/** Somebody else has changed the same thing meanwhile: both stand here, and the person chooses. */
export const ConflictSection = ({ title, differences, isBusy, mineLabel = 'Save mine', onMine, onTheirs }: Props) => (
  <Banner
    tone="bad"
    role="alert"
    title={title}
    action={
      <>
        <Button isSmall isBusy={isBusy} onClick={onMine}>
          {mineLabel}
        </Button>
        <Button isSmall look="line" onClick={onTheirs}>
          Take theirs
        </Button>
      </>
    }
  >
    <Table caption="What’s different">
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Yours</th>
          <th scope="col">Theirs</th>
        </tr>
      </thead>
      <tbody>
        {differences
          .filter(({ mine, theirs }) => mine !== theirs)
          .map(({ label, mine, theirs }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{mine}</td>
              <td>{theirs}</td>
            </tr>
          ))}
      </tbody>
    </Table>
  </Banner>
)
