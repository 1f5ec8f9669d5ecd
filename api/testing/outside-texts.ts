/** A text made of one part, again and again, between a beginning and an end. */
export type Worst = string | { head?: string; part: string; tail?: string }

/** What reads a text that someone else wrote, and the texts that would cost it most. It may refuse them. */
export type OutsideReader = { name: string; read(text: string): unknown; worst: readonly Worst[] }

export function worstText(worst: Worst, length: number): string {
  const { head = '', part, tail = '' } = typeof worst === 'string' ? { part: worst } : worst
  return head + part.repeat(Math.ceil((length - head.length - tail.length) / part.length)) + tail
}

/** What costs some reader or other too much. The full tests give each of them all of these. */
export const commonWorst: readonly Worst[] = [
  ...[
    ' ',
    '\t',
    '\n',
    '\r\n',
    '\u00a0',
    'a',
    '0',
    '1 ',
    '<',
    '<a',
    '<a ',
    '</',
    '<!--',
    '-->',
    '&',
    '&#',
    '"',
    "'",
    '`',
    '=',
  ],
  ...[
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '[a](',
    '![',
    '*',
    '**',
    '_',
    '#',
    '- ',
    '> ',
    '| ',
    '-',
    '--',
    ',',
    ';',
    ':',
    '.',
    '/',
  ],
  ...[
    '../',
    '%',
    '%41',
    '@',
    'a@',
    '?',
    '!',
    '$',
    '^',
    '+',
    '\\',
    'a.',
    'a,',
    'https://',
    'http://a.',
    '\u0301',
    'a\u0315\u0300',
  ],
  ...['\ud83d\ude00', '\u200b', '\ud800', '0,', '"a",', '\\"', '{"a":', '[1,', 'a:\n', '1.'],
]
