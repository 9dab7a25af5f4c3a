import { isStrategyId } from '@tapedeck/strategies/contract';
import type { Databases } from '@tapedeck/platform/databases';
import type { PerformanceChartRow } from '../projections/performance-charts.ts';

const undefinedTable = '42P01';

/** Of the read model; undefined for a strategy that is not in the catalogue. */
export const findChart = async (
  { tapedeck }: Databases,
  urlId: string,
): Promise<PerformanceChartRow | undefined> => {
  if (!isStrategyId(urlId)) return undefined;
  try {
    const { rows } = await tapedeck.query<PerformanceChartRow>(
      'select * from performance_charts where url_id = $1',
      [urlId],
    );
    return rows[0];
  } catch (error) {
    // The projector has not created the table yet.
    if ((error as { code?: string }).code === undefinedTable) return undefined;
    throw error;
  }
};

const firstSql = 'select url_id from performance_charts order by url_id limit 1';

/** The first strategy by its id, in the order of bytes; undefined while the catalogue is empty. */
export const findFirstId = async ({ tapedeck }: Databases): Promise<string | undefined> => {
  try {
    const { rows } = await tapedeck.query<Pick<PerformanceChartRow, 'url_id'>>(firstSql);
    return rows[0]?.url_id;
  } catch (error) {
    if ((error as { code?: string }).code === undefinedTable) return undefined;
    throw error;
  }
};
