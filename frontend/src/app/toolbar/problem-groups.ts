// The problems as the list shows them: by severity, and within it by kind. Pure.
import type { Problem } from '../state/run-problems';

type Severity = Problem['severity'];

export interface KindGroup {
  readonly kind: Problem['kind'];
  /** The first of them: what is said of the kind is said by each. */
  readonly first: Problem;
  readonly problems: readonly Problem[];
}

export interface SeverityGroup {
  readonly severity: Severity;
  readonly heading: string;
  readonly count: number;
  readonly kinds: readonly KindGroup[];
}

const HEADINGS: Record<Severity, string> = {
  loss: 'Lost',
  limit: 'Not shown, or probably missing',
  note: 'Good to know',
};

/** Groups in the order in which the problems stand, gravest first. */
export function groupProblems(problems: readonly Problem[]): SeverityGroup[] {
  return (Object.keys(HEADINGS) as Severity[]).flatMap((severity) => {
    const those = problems.filter((problem) => problem.severity === severity);
    const byKind = Map.groupBy(those, ({ kind }) => kind);
    const kinds = [...byKind].flatMap(([kind, [first, ...others]]) =>
      first ? [{ kind, first, problems: [first, ...others] }] : [],
    );
    return kinds.length
      ? [{ severity, heading: HEADINGS[severity], count: those.length, kinds }]
      : [];
  });
}

/** "/logs/mlp/tfdbg_events.1700000000.vm.execution" -> "tfdbg_events.1700000000.vm.execution" */
export function fileNameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}
