// The settings of `npm start` alone, for docs/configuration.md; `PORT` and `HOST` are those of the API.
/** @type {readonly Readonly<{ name: string, byDefault: string, description: string }>[]} */
export const launcherSettings = [
  {
    name: 'DATA_DIR',
    byDefault: '`.data`',
    description: 'embedded database, secrets and logs of this instance',
  },
  {
    name: 'DEMO_CATALOGUE',
    byDefault: '`4500` with the embedded database, else none',
    description: 'number of demo strategies that an empty tape is filled with',
  },
  {
    name: 'DEMO_ACCOUNTS',
    byDefault: '`yes` with the stand-ins for sign-in and Stripe',
    description:
      '`no` leaves out the accounts of Free, Pro, Elite, Admin and Support, which the first start makes ready',
  },
];
