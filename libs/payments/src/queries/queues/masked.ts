/** The first letter and the domain: enough to recognise an address that is known already. */
export const masked = (email: string): string =>
  `${email.slice(0, 1)}•••${email.slice(email.lastIndexOf('@'))}`;
