import type { JSX } from 'react';

type PlanNode = Readonly<{
  'Node Type'?: string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Total Cost'?: number;
  'Plan Rows'?: number;
  Filter?: string;
  Plans?: readonly PlanNode[];
}>;

/** What `EXPLAIN (FORMAT JSON)` answers; undefined for anything else. */
const planIn = (text: string | null | undefined): PlanNode | undefined => {
  try {
    const [first] = JSON.parse(text ?? '') as readonly Readonly<{ Plan?: PlanNode }>[];
    return first?.Plan;
  } catch {
    return undefined;
  }
};

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

const Step = ({ node, total }: Readonly<{ node: PlanNode; total: number }>): JSX.Element => {
  const cost = node['Total Cost'] ?? 0;
  const about = node['Relation Name'] ?? node['Index Name'];
  return (
    <li>
      <div className="sql-plan-step">
        <strong>{node['Node Type'] ?? 'Step'}</strong>
        {about !== undefined && <span className="mono">{about}</span>}
        <span className="meta">
          {whole.format(node['Plan Rows'] ?? 0)} rows, cost {whole.format(cost)}
        </span>
        <meter className="sql-plan-cost" min={0} max={Math.max(total, 1)} value={cost} aria-hidden="true" />
        {node.Filter !== undefined && <span className="sql-plan-filter mono">{node.Filter}</span>}
      </div>
      {node.Plans && node.Plans.length > 0 && (
        <ol>
          {node.Plans.map((child, index) => (
            // Steps have no identity of their own.
            // oxlint-disable-next-line react/no-array-index-key
            <Step key={index} node={child} total={total} />
          ))}
        </ol>
      )}
    </li>
  );
};

/** How PostgreSQL would execute a statement, as a tree with the estimated cost of each step. */
export const PlanTree = ({ text }: Readonly<{ text: string | null | undefined }>): JSX.Element => {
  const plan = planIn(text);
  if (!plan) return <pre className="raw">{text}</pre>;
  return (
    <ol className="sql-plan" aria-label="Plan">
      <Step node={plan} total={plan['Total Cost'] ?? 0} />
    </ol>
  );
};
