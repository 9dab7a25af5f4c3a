// Not linear: the length is checked first.
const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** What is wrong with the address; null when nothing is. */
export const emailProblem = (email: string): Readonly<{ title: string; text: string }> | null => {
  if (email === '') return { title: 'Email Required', text: 'Please enter your email address' };
  const isValid = email.length <= 254 && emailPattern.test(email);
  return isValid ? null : { title: 'Invalid Email', text: 'Please enter a valid email address' };
};

/** The digits of what was typed or pasted. */
export const codeOf = (text: string): string => text.replace(/\D/g, '').slice(0, 6);
