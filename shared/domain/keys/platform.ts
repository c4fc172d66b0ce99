/**
 * The platform's keys make and delete organizations. They are kept as those of an organization without anything, whose id
 * no other can have, and reach only operations with a scope of the platform.
 */
export const PLATFORM_ID = '00000000-0000-0000-0000-000000000000';
