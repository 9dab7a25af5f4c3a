/** The form in which e-mail addresses are compared. */
export const foldEmail = (email: string): string => email.trim().normalize('NFC').toLowerCase();

/** The first letter and the domain: enough to recognise an address that is known already. */
export const maskedEmail = (email: string): string =>
  `${email.slice(0, 1)}•••${email.slice(email.lastIndexOf('@'))}`;
