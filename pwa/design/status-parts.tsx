import { Badge, type BadgeTone } from '#pwa/ui/badge.tsx'
import { Slip } from '#pwa/ui/slip.tsx'
import { Stamp } from '#pwa/ui/stamp.tsx'
import { Stat } from '#pwa/ui/stat.tsx'
import { Stepper } from '#pwa/ui/stepper.tsx'
import { Vial } from '#pwa/ui/sync-line.tsx'
import { Cell, Row, Table } from '#pwa/ui/table.tsx'
import { Tape } from '#pwa/ui/tape.tsx'
import { Flow, Group, Specimen } from './specimen.tsx'

const steps = ['Application', 'Tier', 'Payment', 'Password']

export const StatusParts = () => (
  <Group name="Facts">
    <Marks />
    <Specimen name="Stat">
      <Flow>
        <Stat figure="500+" label="tradesmen coached" />
        <Stat figure="4.9" label="50+ reviews" />
      </Flow>
    </Specimen>
    <Specimen name="Tape" says="Progress as a measure, never as a percentage.">
      <Tape label="None" value={0} max={24} major={4} hasNumbers />
      <Tape label="Some" value={9} max={24} major={4} hasNumbers isLive />
      <Tape label="All" value={24} max={24} major={4} hasNumbers />
      <Tape label="Customers" value={64} max={100} major={10} isLong hasNumbers />
      <Tape label="Small" value={3} max={8} minor={0.2} isSmall />
    </Specimen>
    <Specimen name="Stepper">
      <Stepper label="Joining" steps={steps} current={0} />
      <Stepper label="Joining" steps={steps} current={2} />
      <Stepper label="Joining" steps={steps} current={4} />
    </Specimen>
    <Specimen name="Receipt">
      <Slip
        title="Receipt"
        stamp={<Stamp tone="ok">Paid</Stamp>}
        net={25_000}
        vat={5_000}
        total={30_000}
        after={[{ label: 'Next payment', value: '12 July 2026' }]}
      />
    </Specimen>
    <Specimen name="Table, stacked and not">
      <Invoices isStacked />
      <Invoices />
    </Specimen>
  </Group>
)

const tones: Record<BadgeTone, string> = {
  plain: 'Draft',
  ok: 'Active',
  open: 'Open',
  bad: 'Overdue',
  wait: 'Waiting to send',
}

const Marks = () => (
  <>
    <Specimen name="Stamps" says="A fact that someone decided.">
      <Flow>
        <Stamp>Most Popular</Stamp>
        <Stamp tone="ok">Complete</Stamp>
        <Stamp tone="bad">Overdue</Stamp>
        <Stamp tone="carbon">Draft</Stamp>
        <Stamp isLanding>INVITE ONLY</Stamp>
      </Flow>
    </Specimen>
    <Specimen name="Badges and the vial" says="What changes on its own. A hatch means waiting.">
      <Flow>
        <Badge>{tones.plain}</Badge>
        <Badge tone="ok" icon="tick">
          {tones.ok}
        </Badge>
        <Badge tone="open">{tones.open}</Badge>
        <Badge tone="bad" icon="cross">
          {tones.bad}
        </Badge>
        <Badge tone="wait">{tones.wait}</Badge>
        <Vial isLevel />
        <Vial isLevel={false} />
      </Flow>
    </Specimen>
  </>
)

const Invoices = ({ isStacked }: { isStacked?: boolean }) => (
  <Table caption="Invoices" isStacked={isStacked}>
    <thead>
      <tr>
        <th scope="col">No</th>
        <th scope="col">Date</th>
        <th scope="col">Status</th>
        <th scope="col" className="n">
          Total
        </th>
      </tr>
    </thead>
    <tbody>
      {['Paid', 'Open', 'Overdue'].map((status, index) => (
        <Row key={status}>
          <Cell kind="row">{index + 1}</Cell>
          <Cell label="Date" kind="who">
            12 June 2026
          </Cell>
          <Cell label="Status">
            <Badge tone={index === 0 ? 'ok' : index === 1 ? 'open' : 'bad'}>{status}</Badge>
          </Cell>
          <Cell label="Total" kind="number">
            £300.00
          </Cell>
        </Row>
      ))}
    </tbody>
  </Table>
)
