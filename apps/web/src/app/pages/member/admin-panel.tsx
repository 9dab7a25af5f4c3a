import { Tabs } from 'radix-ui';
import type { JSX, ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { SqlWorkbench } from '../../../features/sql-console/sql-console.tsx';
import { UploadCard } from '../../../features/strategies/upload/upload-page.tsx';
import { useSignInForSql } from '../admin/use-sign-in-for-sql.ts';

type Tab = Readonly<{ id: string; name: string; content: ReactNode; path: string; more: string }>;

const SqlTab = (): JSX.Element => <SqlWorkbench signInHref={useSignInForSql()} />;

const tabs: readonly Tab[] = [
  {
    id: 'sql',
    name: 'SQL Console',
    content: <SqlTab />,
    path: '/admin/sql',
    more: 'History and saved statements',
  },
  {
    id: 'upload',
    name: 'Strategy Upload',
    content: <UploadCard />,
    path: '/admin/upload',
    more: 'Last imports',
  },
];

/** On the dashboard of admins. */
export const AdminPanel = (): JSX.Element => (
  <section className="admin-panel" aria-labelledby="admin-panel-title">
    <Tabs.Root defaultValue="sql">
      <div className="admin-head">
        <h2 id="admin-panel-title">Admin Access</h2>
        <Tabs.List className="tabs" aria-label="Admin Access">
          {tabs.map(({ id, name }) => (
            <Tabs.Trigger key={id} className="tab" value={id}>
              {name}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
      </div>
      {tabs.map(({ id, content, path, more }) => (
        // A statement or a chosen file outlasts a look at the other tab.
        <Tabs.Content key={id} className="admin-tab" value={id} forceMount>
          {content}
          <p>
            <Link to={path}>{more}</Link>
          </p>
        </Tabs.Content>
      ))}
    </Tabs.Root>
  </section>
);
