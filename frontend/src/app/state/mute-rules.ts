// Rules of alerts that are left out, as the server and the address spell them, and their words. Pure.
//
//   op_type:Log   op:model/Log   text:log   regex:^Log_\d+$   function:loss_fn   line:/home/dev/mlp.py:24

/** As the server takes no more, and none that is longer. */
export const MOST_RULES = 32;
const LONGEST_RULE = 2000;
const SYNTAX = /^(?:(?:op_type|op|text|regex|function):[^\n]+|line:[^\n]+:[1-9][0-9]{0,8})$/;

export interface RuleWords {
  /** What kind of thing it names: "op type". */
  readonly kind: string;
  /** "Log", "mlp.py:24" */
  readonly text: string;
  /** All of it: "op type Log". */
  readonly title: string;
}

const KINDS: Readonly<Record<string, string>> = {
  op_type: 'op type',
  op: 'op',
  text: 'op name has',
  regex: 'op name matches',
  function: 'function',
  line: 'line',
};

/** What the user typed: text that op names have in them, or /an expression/. Null for nothing. */
export function ruleOfText(typed: string): string | null {
  const expression = /^\/(.+)\/$/.exec(typed.trim());
  const rule = expression ? `regex:${expression[1]}` : `text:${typed.trim()}`;
  return isRule(rule) ? rule : null;
}

export function wordsOf(rule: string): RuleWords {
  const at = rule.indexOf(':');
  const kind = KINDS[rule.slice(0, at)] ?? '';
  const whole = rule.slice(at + 1);
  const text = kind === 'line' ? (whole.split(/[\\/]/).at(-1) ?? '') : whole;
  const shown = kind === 'op name matches' ? `/${text}/` : text;
  return { kind, text: shown, title: `${kind} ${kind === 'line' ? whole : shown}` };
}

/** One text of several rules. */
export function joinRules(rules: readonly string[]): string {
  return rules.join('\n');
}

/** The rules of a text; what is none, or is too much, is left out. */
export function splitRules(text: string): string[] {
  return [...new Set(text.split('\n').filter(isRule))].slice(0, MOST_RULES);
}

export function isRule(text: string): boolean {
  return text.length <= LONGEST_RULE && SYNTAX.test(text);
}
