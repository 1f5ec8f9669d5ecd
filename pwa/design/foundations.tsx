import { Icon, Mark } from '#pwa/ui/icon.tsx'
import { type IconName, iconPaths } from '#pwa/ui/icon-paths.ts'
import { Elevation } from '#pwa/ui/picture.tsx'
import { Flow, Group, Specimen } from './specimen.tsx'

const colours: Record<string, readonly string[]> = {
  Paper: ['bench', 'sheet', 'sheet-2', 'copy-yellow', 'copy-pink', 'blade'],
  Ink: ['ink', 'ink-2', 'ink-inverse', 'carbon', 'focus'],
  Lines: ['rule', 'rule-strong', 'margin-line'],
  Accent: ['hivis', 'on-hivis', 'mark', 'on-blade', 'blade-fill', 'blade-text'],
  Signals: ['ok', 'ok-wash', 'bad', 'bad-wash', 'hatch'],
}

const isIcon = (name: string): name is IconName => Object.hasOwn(iconPaths, name)

export const Foundations = () => (
  <Group name="Foundations">
    {Object.entries(colours).map(([kind, names]) => (
      <Specimen key={kind} name={kind}>
        <ul className="swatches">
          {names.map((name) => (
            <li key={name}>
              <span style={{ background: `var(--${name})` }} />
              <code>{name}</code>
            </li>
          ))}
        </ul>
      </Specimen>
    ))}
    <Type />
    <Surfaces />
    <Specimen name="Icons" says="Always with a word, or inside something that has a label.">
      <Flow>
        {Object.keys(iconPaths)
          .filter(isIcon)
          .map((name) => (
            <span key={name}>
              <Icon name={name} /> <span className="second">{name}</span>
            </span>
          ))}
        <span style={{ width: '3rem' }}>
          <Mark />
        </span>
      </Flow>
    </Specimen>
    <Specimen name="Drawings">
      <Elevation name="van" />
      <Elevation name="level" />
      <Elevation name="tape-measure" />
    </Specimen>
  </Group>
)

const Type = () => (
  <Specimen name="Type" says="One family: narrow for headings and figures, normal for reading, wide for labels.">
    <h1 style={{ fontSize: 'var(--t-h2)' }}>Heading 1</h1>
    <h2>Heading 2</h2>
    <h3>Heading 3</h3>
    <h3 className="caps">Heading 3 that names a thing</h3>
    <h4>Heading 4</h4>
    <p className="lead">A lead says in one breath what the page is about.</p>
    <p>Text is read at 18 px, in lines of 62 letters at most, with real fractions of £1,250.00 and 07:40.</p>
    <p className="second">A second line, in the second voice.</p>
    <p className="label">Label</p>
    <p className="fig">£250</p>
    <p>
      <b>Strong</b>, <span className="num">1,234</span>
    </p>
  </Specimen>
)

const Surfaces = () => (
  <>
    <Specimen name="Sheets" says="The sheet that matters shows the copies beneath it: one per view.">
      <div className="sheet box-pad">A sheet</div>
      <div className="sheet sheet--pad box-pad">A sheet with its copies</div>
    </Specimen>
    <Specimen name="Grounds">
      <div className="on-ink box-pad">On ink</div>
      <div className="on-blade box-pad">On the blade</div>
      <hr className="chalk" />
    </Specimen>
  </>
)
