import { Box, Text } from 'ink'
import { toSafeLine } from '#cli/control-characters.ts'
import type { Section } from '#cli/table.ts'
import { Details, draw, Panel, TableView } from './parts.tsx'

export const drawSections = (sections: readonly Section[], width: number) =>
  draw(
    <Box flexDirection="column" gap={1}>
      {sections.map((section) => (
        <SectionView key={section.title} section={section} width={width} />
      ))}
    </Box>,
    width,
  )

function SectionView({
  section: { title, details, table, lines = [], note },
  width,
}: {
  section: Section
  width: number
}) {
  const layout = table?.layOut(width)
  return (
    <Panel title={title}>
      <Box flexDirection="column" gap={1}>
        {details && <Details details={details} width={width} />}
        {table && (layout ? <TableView layout={layout} width={width} /> : <Text>{table.empty}</Text>)}
      </Box>
      {[...lines.entries()].map(([at, line]) => (
        <Text key={at}>{toSafeLine(line)}</Text>
      ))}
      {note !== undefined && <Text dimColor>{note}</Text>}
    </Panel>
  )
}
