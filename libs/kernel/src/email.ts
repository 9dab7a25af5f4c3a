/** The form in which e-mail addresses are compared. */
export const foldEmail = (email: string): string => email.trim().normalize('NFC').toLowerCase();
