import type { Random } from './random.ts';

export type Popularity = Readonly<{ likes: number; views: number; comments: number }>;

/** The ends of the specification's default ranges (§9). */
export const mostPopular: Popularity = { likes: 20_349, views: 999, comments: 53 };

const upTo = (value: number, most: number): number => Math.min(most, Math.max(0, Math.round(value)));

/** Many liked a little, a few a lot; what is liked is also seen and talked about. */
export const drawPopularity = (random: Random): Popularity => {
  const likes = upTo(random.logNormal(58, 1.75) - 3, mostPopular.likes - 1);
  return {
    likes,
    views: upTo(9 * (likes + 2) ** 0.52 * random.logNormal(1, 0.45), mostPopular.views),
    comments: upTo(0.42 * likes ** 0.48 * random.logNormal(1, 0.6) - 0.4, mostPopular.comments),
  };
};
