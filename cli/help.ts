/** For `addHelpText('after', …)`: lines to copy, at the end of a command's help. */
export const examples = (...lines: string[]) => `\nExamples:\n${lines.map((line) => `  alliance ${line}`).join('\n')}`
