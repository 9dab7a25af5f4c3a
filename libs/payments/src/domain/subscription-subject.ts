export const subscriptionSubject = (subscriptionId: string): string => `subscription:${subscriptionId}`;
