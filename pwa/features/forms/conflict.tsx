import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Table } from '#pwa/ui/table.tsx'

/** One field: its value here, and the one someone else has stored. */
export type Difference = {
  label: string
  mine: string
  theirs: string
  /** The texts are addresses of pictures, which are shown. */
  kind?: 'picture' | undefined
}

type Props = {
  title: string
  differences: readonly Difference[]
  isBusy: boolean
  /** For a form where choosing your own doesn't save yet. */
  mineLabel?: string
  theirsLabel?: string
  /** Whose the two are: someone else's, unless the same person wrote both. */
  columns?: readonly [mine: string, theirs: string]
  onMine: () => void
  onTheirs: () => void
}

/** Someone else has changed the same thing: shows both and lets the person choose. */
export const ConflictSection = ({
  title,
  differences,
  isBusy,
  mineLabel = 'Save mine',
  theirsLabel = 'Take theirs',
  columns: [mineColumn, theirsColumn] = ['Yours', 'Theirs'],
  onMine,
  onTheirs,
}: Props) => (
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
          {theirsLabel}
        </Button>
      </>
    }
  >
    <Table caption="What’s different">
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">{mineColumn}</th>
          <th scope="col">{theirsColumn}</th>
        </tr>
      </thead>
      <tbody>
        {differences
          .filter(({ mine, theirs }) => mine !== theirs)
          .map(({ label, mine, theirs, kind }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{kind === 'picture' ? <Picture address={mine} alt={mineColumn} /> : mine}</td>
              <td>{kind === 'picture' ? <Picture address={theirs} alt={theirsColumn} /> : theirs}</td>
            </tr>
          ))}
      </tbody>
    </Table>
  </Banner>
)

const Picture = ({ address, alt }: { address: string; alt: string }) =>
  address === '' ? 'None' : <img src={address} alt={alt} width={96} height={96} />
